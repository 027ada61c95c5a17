import CZeroMQ

/// ZeroMQ's text form of bytes: five printable characters for four bytes.
public enum Z85 {
    /// nil when the text is not a multiple of five characters of the alphabet, or a group exceeds four bytes.
    public static func decode(_ text: String) -> [UInt8]? {
        let characters = text.utf8.count
        guard characters > 0, characters % 5 == 0, !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: characters / 5 * 4)
        guard zmq_z85_decode(&bytes, text) != nil else { return nil }
        // Some versions let a group overflow: what does not come back the same was not valid.
        return encode(bytes) == text ? bytes : nil
    }

    /// nil unless there is a multiple of four bytes.
    public static func encode(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty, bytes.count % 4 == 0 else { return nil }
        var characters = [CChar](repeating: 0, count: bytes.count / 4 * 5 + 1)
        guard zmq_z85_encode(&characters, bytes, bytes.count) != nil else { return nil }
        return text(characters)
    }

    /// For keys, whose length was checked.
    static func encode32(_ bytes: [UInt8]) -> String {
        guard let text = encode(bytes) else { preconditionFailure("a key has 32 bytes") }
        return text
    }

    static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
