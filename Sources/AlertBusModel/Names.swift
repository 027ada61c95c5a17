/// Why a name was refused. The description is a sentence for the person who chose the name.
public enum NameFault: Error, Equatable, Sendable, CustomStringConvertible {
    case empty
    case tooLong(bytes: Int, limit: Int)
    case controlCharacter(atByte: Int)
    case emptySegment(atByte: Int)
    case slashAtEnd

    public var description: String {
        switch self {
        case .empty: "must not be empty"
        case .tooLong(let bytes, let limit): "has \(bytes) bytes; the limit is \(limit)"
        case .controlCharacter(let at): "has a control character at byte \(at)"
        case .emptySegment(let at): "has an empty segment at byte \(at); write single slashes and none at the start"
        case .slashAtEnd: "must not end with a slash; only a scope for subscribe, list, sync, clear and hold may"
        }
    }
}

/// The checks that every name on the bus passes: surfaces, keys, producers, sources, tokens.
public enum Name {
    /// The longest name, in UTF-8 bytes.
    public static let limit = 255

    /// Checks a key, a producer, a source or a token.
    /// - Throws: `NameFault` when it is empty, longer than `limit` bytes, or has a control character (C0, DEL, or C1).
    public static func check(_ name: String) throws(NameFault) {
        if name.isEmpty { throw .empty }
        try checkBytes(name)
    }

    /// Checks a surface path: as `check`, and segments between slashes must not be empty.
    public static func checkPath(_ path: String) throws(NameFault) {
        try check(path)
        var previous: UInt8 = UInt8(ascii: "/")
        var index = 0
        for byte in path.utf8 {
            if byte == UInt8(ascii: "/") && previous == byte { throw .emptySegment(atByte: index) }
            previous = byte
            index += 1
        }
        if previous == UInt8(ascii: "/") { throw .slashAtEnd }
    }

    private static func checkBytes(_ name: String) throws(NameFault) {
        let utf8 = name.utf8
        if utf8.count > limit { throw .tooLong(bytes: utf8.count, limit: limit) }
        var index = 0
        var previous: UInt8 = 0
        for byte in utf8 {
            // C1 controls are U+0080 to U+009F: the bytes C2 80 to C2 9F.
            if byte < 0x20 || byte == 0x7F || (previous == 0xC2 && byte < 0xA0) { throw .controlCharacter(atByte: index) }
            previous = byte
            index += 1
        }
    }
}

/// One surface, or with a slash at the end every surface below a path. The lone slash means all surfaces.
public struct SurfaceScope: Hashable, Sendable, CustomStringConvertible {
    /// As it is written: `lobby/kiosk-1/modal`, `lobby/`, or `/`.
    public let text: String

    /// - Throws: `NameFault` when the path in it is not a valid surface path.
    public init(_ text: String) throws(NameFault) {
        if text == "/" {
            self.text = text
            return
        }
        if text.utf8.last == UInt8(ascii: "/") {
            try Name.checkPath(String(text.dropLast()))
        } else {
            try Name.checkPath(text)
        }
        self.text = text
    }

    private init(checked: String) { text = checked }

    /// Every surface.
    public static let all = SurfaceScope(checked: "/")

    /// Whether it names more than one surface.
    public var isPrefix: Bool { text.utf8.last == UInt8(ascii: "/") }

    public var description: String { text }

    /// Whether a surface lies in this scope.
    public func contains(_ surface: String) -> Bool {
        if text == "/" { return true }
        return isPrefix ? surface.utf8.starts(with: text.utf8) : surface == text
    }

    /// Whether everything in the other scope lies in this one.
    public func contains(_ other: SurfaceScope) -> Bool {
        if text == "/" || text == other.text { return true }
        return isPrefix && other.text != "/" && other.text.utf8.starts(with: text.utf8)
    }
}
