import Glibc

/// A file with CURVE keys: lines of `name = "…"`, with `public`, `secret`, and for a client also `server`.
///
/// A file that holds a secret must not be readable by others.
public struct CurveKeyFile: Equatable, Sendable {
    public var publicKey: CurvePublicKey?
    public var secretKey: CurveSecretKey?
    /// The public key of the server that the client connects to.
    public var serverKey: CurvePublicKey?

    public init(publicKey: CurvePublicKey? = nil, secretKey: CurveSecretKey? = nil, serverKey: CurvePublicKey? = nil) {
        self.publicKey = publicKey
        self.secretKey = secretKey
        self.serverKey = serverKey
    }

    /// Why a key file cannot be used.
    public struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
        public var path: String
        public var line: Int
        public var detail: String

        public var description: String { line == 0 ? "\(path): \(detail)" : "\(path):\(line): \(detail)" }
    }

    /// The client's or server's own pair.
    /// - Throws: `Fault` when the file has no secret, or one that does not belong to its public key.
    public func pair(path: String) throws(Fault) -> CurveKeyPair {
        guard let secretKey else { throw Fault(path: path, line: 0, detail: "has no secret key; make one with `alertbus keygen`") }
        let pair: CurveKeyPair
        do { pair = try CurveKeyPair(secretKey: secretKey) } catch { throw Fault(path: path, line: 0, detail: "\(error)") }
        if let publicKey, publicKey != pair.publicKey {
            throw Fault(path: path, line: 0, detail: "the public key does not belong to the secret key")
        }
        return pair
    }

    /// - Throws: `Fault` with the line, or when the file cannot be read or is readable by others.
    public static func read(path: String) throws(Fault) -> CurveKeyFile {
        var status = stat()
        guard stat(path, &status) == 0 else { throw system(path) }
        guard let file = fopen(path, "re") else { throw system(path) }
        defer { fclose(file) }
        var keys = CurveKeyFile()
        var buffer = [CChar](repeating: 0, count: 512)
        var number = 0
        while fgets(&buffer, 512, file) != nil {
            number += 1
            let line = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            do { try keys.take(line) } catch { throw Fault(path: path, line: number, detail: error.detail) }
        }
        if keys.secretKey != nil && status.st_mode & 0o077 != 0 {
            throw Fault(
                path: path, line: 0,
                detail: "others may read this secret key; run `chmod 600 \(path)`, and make a new key if it was exposed")
        }
        return keys
    }

    private struct LineFault: Error { var detail: String }

    private mutating func take(_ line: String) throws(LineFault) {
        let text = line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
        // A '#' may be part of a Z85 key, so the whole line counts when it has quotes.
        let trimmed = line.filter { $0 != "\n" && $0 != "\r" }
        if text.isEmpty { return }
        guard let equals = trimmed.firstIndex(of: "=") else {
            throw LineFault(detail: "expected `public`, `secret` or `server`, and = \"key\"")
        }
        let name = trimmed[..<equals].filter { !$0.isWhitespace }
        let rest = trimmed[trimmed.index(after: equals)...]
        guard let open = rest.firstIndex(of: "\""), let close = rest.lastIndex(of: "\""), open < close else {
            throw LineFault(detail: "expected the key in quotes")
        }
        let value = String(rest[rest.index(after: open)..<close])
        switch name {
        case "public": publicKey = try Self.publicKey(value)
        case "server": serverKey = try Self.publicKey(value)
        case "secret":
            guard let key = CurveSecretKey(z85: value) else { throw LineFault(detail: "this is not a key of 40 characters") }
            secretKey = key
        default: throw LineFault(detail: "unknown name \"\(name)\"; expected public, secret or server")
        }
    }

    private static func publicKey(_ text: String) throws(LineFault) -> CurvePublicKey {
        guard let key = CurvePublicKey(z85: text) else { throw LineFault(detail: "this is not a key of 40 characters") }
        return key
    }

    /// Writes a new file with mode 0600.
    /// - Throws: `Fault` when one exists already: a key is never overwritten.
    public func write(path: String, comment: String) throws(Fault) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.system(path) }
        defer { close(descriptor) }
        var text = "# \(comment)\n"
        if let publicKey { text += "public = \"\(publicKey.z85)\"\n" }
        if let secretKey { text += "secret = \"\(secretKey.z85)\"\n" }
        if let serverKey { text += "server = \"\(serverKey.z85)\"\n" }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
            throw Self.system(path)
        }
    }

    private static func system(_ path: String) -> Fault {
        Fault(path: path, line: 0, detail: "\(String(cString: strerror(errno))) (errno \(errno))")
    }
}
