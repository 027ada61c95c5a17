import Glibc

extension JSONText {
    /// Whether the tokens make one JSON value within the limits. Notes for each opening token the closing one.
    func isGrammatical() -> Bool {
        let tokens = tokens
        let open = open
        var token = 0
        var depth = 0
        // A bit for each level: set for an object.
        var objects: UInt64 = 0
        value: while true {
            switch tokens.first(token) {
            case UInt8(ascii: "\""):
                if !tokens.isString(token) { return false }
                token += 1
            case UInt8(ascii: "{"):
                if depth == WireLimits.depth { return false }
                if tokens.first(token + 1) == UInt8(ascii: "}") {
                    tokens.closing[token] = UInt32(truncatingIfNeeded: token + 1)
                    token += 2
                    break
                }
                open[depth] = UInt32(truncatingIfNeeded: token)
                depth += 1
                objects = objects << 1 | 1
                if !tokens.isName(token + 1) { return false }
                token += 3
                continue value
            case UInt8(ascii: "["):
                if depth == WireLimits.depth { return false }
                if tokens.first(token + 1) == UInt8(ascii: "]") {
                    tokens.closing[token] = UInt32(truncatingIfNeeded: token + 1)
                    token += 2
                    break
                }
                open[depth] = UInt32(truncatingIfNeeded: token)
                depth += 1
                objects <<= 1
                token += 1
                continue value
            case UInt8(ascii: "t"):
                if !tokens.isWord(token, "true") { return false }
                token += 1
            case UInt8(ascii: "f"):
                if !tokens.isWord(token, "false") { return false }
                token += 1
            case UInt8(ascii: "n"):
                if !tokens.isWord(token, "null") { return false }
                token += 1
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let start = tokens.start(token)
                if JSONGrammar.numberFault(tokens.bytes + start, tokens.end(token) - start) != nil { return false }
                token += 1
            default: return false
            }
            while true {
                if depth == 0 { return token == count }
                let inObject = objects & 1 == 1
                switch tokens.first(token) {
                case UInt8(ascii: ","):
                    if !inObject {
                        token += 1
                        continue value
                    }
                    if !tokens.isName(token + 1) { return false }
                    token += 3
                    continue value
                case inObject ? UInt8(ascii: "}") : UInt8(ascii: "]"):
                    depth -= 1
                    objects >>= 1
                    tokens.closing[Int(open[depth])] = UInt32(truncatingIfNeeded: token)
                    token += 1
                default: return false
                }
            }
        }
    }
}

extension Tokens {
    @inline(__always)
    fileprivate func isName(_ token: Int) -> Bool {
        first(token) == UInt8(ascii: "\"") && isString(token) && first(token + 1) == UInt8(ascii: ":")
    }

    @inline(__always)
    fileprivate func isString(_ token: Int) -> Bool {
        let start = start(token)
        let end = end(token)
        if end - start < 2 || bytes[end - 1] != UInt8(ascii: "\"") { return false }
        return !hasEscapes || JSONGrammar.escapeFault(bytes + start + 1, end - start - 2) == nil
    }

    fileprivate func isWord(_ token: Int, _ word: StaticString) -> Bool {
        let start = start(token)
        return end(token) - start == word.utf8CodeUnitCount
            && memcmp(bytes + start, word.utf8Start, word.utf8CodeUnitCount) == 0
    }
}
