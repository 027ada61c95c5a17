import Glibc

/// Finds the few fields that a swarm needs in the messages that come in great numbers, without making values of the others.
///
/// It reads any valid JSON object: fields in any order, white space, unknown fields, escapes. What it does not understand it
/// reports, and the full decoder has the word then.
package struct MessageScanner {
    private let bytes: UnsafePointer<UInt8>
    private let end: Int
    private var at = 0

    package init(_ buffer: UnsafeRawBufferPointer) {
        bytes = UnsafePointer(buffer.baseAddress!.assumingMemoryBound(to: UInt8.self))
        end = buffer.count
    }

    private enum Context { case message, alert, params, answer }

    /// - Returns: false when it is no JSON object, or has a field of another type than the protocol says.
    package mutating func scan(into message: inout ScannedMessage) -> Bool {
        space()
        guard object(.message, into: &message) else { return false }
        space()
        return at == end
    }

    private mutating func object(_ context: Context, into message: inout ScannedMessage) -> Bool {
        guard take(UInt8(ascii: "{")) else { return false }
        space()
        if take(UInt8(ascii: "}")) { return true }
        while true {
            guard let name = string() else { return false }
            space()
            guard take(UInt8(ascii: ":")) else { return false }
            space()
            let isRead =
                switch context {
                case .message, .alert: field(name, into: &message)
                case .params: stamp(name, into: &message)
                case .answer: token(name, into: &message)
                }
            guard isRead else { return false }
            space()
            if take(UInt8(ascii: "}")) { return true }
            guard take(UInt8(ascii: ",")) else { return false }
            space()
        }
    }

    private mutating func field(_ name: ByteRange, into message: inout ScannedMessage) -> Bool {
        switch name.count {
        case 2 where isNamed(name, "op"): return text(&message.opWord)
        case 3 where isNamed(name, "ref"): return reference(&message.ref)
        case 3 where isNamed(name, "key"): return text(&message.key)
        case 3 where isNamed(name, "seq"): return number(&message.seq)
        case 5 where isNamed(name, "epoch"): return number(&message.epoch)
        case 5 where isNamed(name, "event"): return text(&message.event)
        case 5 where isNamed(name, "state"): return text(&message.state)
        case 5 where isNamed(name, "alert"): return object(.alert, into: &message)
        case 6 where isNamed(name, "reason"): return text(&message.reason)
        case 6 where isNamed(name, "params"): return inner(.params, into: &message)
        case 6 where isNamed(name, "answer"): return inner(.answer, into: &message)
        case 7 where isNamed(name, "surface"): return text(&message.surface)
        case 8 where isNamed(name, "instance"): return number(&message.instance)
        case 8 where isNamed(name, "revision"): return number(&message.revision)
        case 8 where isNamed(name, "priority"): return number(&message.priority)
        default: return skip()
        }
    }

    private mutating func stamp(_ name: ByteRange, into message: inout ScannedMessage) -> Bool {
        if isNamed(name, "t") { return reference(&message.intended) }
        if isNamed(name, "s") { return reference(&message.sent) }
        return skip()
    }

    private mutating func token(_ name: ByteRange, into message: inout ScannedMessage) -> Bool {
        isNamed(name, "n") ? reference(&message.token) : skip()
    }

    /// Somebody else's value may be anything.
    private mutating func inner(_ context: Context, into message: inout ScannedMessage) -> Bool {
        at < end && bytes[at] == UInt8(ascii: "{") ? object(context, into: &message) : skip()
    }

    // MARK: Values

    private mutating func text(_ range: inout ByteRange) -> Bool {
        guard let found = string() else { return false }
        range = found
        return true
    }

    private mutating func number(_ value: inout UInt64) -> Bool {
        let start = at
        var result: UInt64 = 0
        while at < end {
            let digit = bytes[at] &- UInt8(ascii: "0")
            if digit > 9 { break }
            result = result &* 10 &+ UInt64(digit)
            at += 1
        }
        value = result
        return at > start && at - start <= 20
    }

    /// A number that `Digits` wrote; anything else counts as none.
    private mutating func reference(_ value: inout UInt64) -> Bool {
        let start = at
        guard skip() else { return false }
        value = Digits.read(bytes + start, at - start) ?? ScannedMessage.none
        return true
    }

    /// The text between the quotes, as it is written.
    private mutating func string() -> ByteRange? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = at
        while at < end {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") {
                defer { at += 1 }
                return ByteRange(start: start, count: at - start)
            }
            at += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private mutating func skip() -> Bool {
        guard at < end else { return false }
        switch bytes[at] {
        case UInt8(ascii: "\""): return string() != nil
        case UInt8(ascii: "{"), UInt8(ascii: "["): return skipNested()
        default:
            let start = at
            while at < end, !isEnd(bytes[at]) { at += 1 }
            return at > start
        }
    }

    private mutating func skipNested() -> Bool {
        var depth = 0
        while at < end {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                guard string() != nil else { return false }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 {
                    at += 1
                    return true
                }
            default: break
            }
            at += 1
        }
        return false
    }

    // MARK: Bytes

    private func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || byte <= 0x20
    }

    private mutating func space() {
        while at < end, bytes[at] <= 0x20 { at += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard at < end, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    private func isNamed(_ name: ByteRange, _ word: StaticString) -> Bool {
        name.count == word.utf8CodeUnitCount && memcmp(bytes + name.start, word.utf8Start, name.count) == 0
    }
}
