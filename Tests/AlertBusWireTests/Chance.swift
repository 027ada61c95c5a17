import AlertBusModel
import AlertBusWire
import TestSupport

/// Random values that a seed repeats (SplitMix64).
struct Chance: RandomNumberGenerator {
    private var source: SplitMix64

    init(seed: UInt64) { source = SplitMix64(seed: seed) }

    mutating func next() -> UInt64 { source.next() }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
    mutating func coin() -> Bool { below(2) == 0 }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
    mutating func maybe<Value>(_ value: (inout Chance) -> Value) -> Value? { coin() ? value(&self) : nil }
    mutating func list<Value>(_ most: Int, _ value: (inout Chance) -> Value) -> [Value] {
        (0..<below(most + 1)).map { _ in value(&self) }
    }

    /// Text with everything that must be escaped or takes more than one byte.
    mutating func text(_ most: Int = 20) -> String {
        let pieces = [
            "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\r", "\u{0}", "\u{1}", "\u{1f}", "\u{7f}", "\u{80}", "é",
            "ß",
            "\u{2028}", "語", "\u{ffff}", "😀", "👩‍👩‍👧", "e\u{301}", "{", "}", "[", ",", ":", "plain text of some length",
        ]
        return (0..<below(most)).map { _ in pick(pieces) }.joined()
    }

    mutating func name() -> String {
        let pieces = ["a", "door", "Z9", " ", "\"", "\\", "é", "語", "😀", "{", ":", "-", "a-longer-name-than-fifteen"]
        return (0...below(8)).map { _ in pick(pieces) }.joined()
    }

    mutating func path() -> String { (0...below(3)).map { _ in name() }.joined(separator: "/") }

    mutating func scope() -> SurfaceScope {
        do {
            return coin() ? .all : try SurfaceScope(path() + (coin() ? "/" : ""))
        } catch {
            fatalError("a generated path is not valid: \(error)")
        }
    }

    mutating func number() -> UInt64 { pick([1, 7, 12, 255, 65_536, 1 << 53, UInt64.max, next() | 1]) }
    mutating func revision() -> UInt32 { pick([1, 2, 1000, UInt32.max]) }
    mutating func clock() -> Milliseconds { pick([1, 350, 60_000, 31_536_000_000]) }
    mutating func time() -> Milliseconds { pick([0, 1, 1_767_225_600_000, .max]) }
    mutating func ref() -> [UInt8] {
        coin() ? [] : coin() ? Array("\(below(1000) - 500)".utf8) : JSONValue.string(text(6)).bytes
    }

    mutating func json(_ depth: Int = 3) -> JSONValue {
        switch below(depth == 0 ? 5 : 7) {
        case 0: .null
        case 1: .boolean(coin())
        case 2: .number(pick(["0", "-0", "1.50", "1E+2", "-12e-7", "123456789012345678901234567890"]))
        case 3, 4: .string(text())
        case 5: .array(list(4) { $0.json(depth - 1) })
        default: object(depth)
        }
    }

    mutating func object(_ depth: Int = 3) -> JSONValue {
        .object(list(4) { JSONValue.Member($0.text(5), $0.json(max(0, depth - 1))) })
    }

    mutating func id() -> [UInt8] { coin() ? Array("\(below(10_000))".utf8) : JSONValue.string(text(6)).bytes }

    mutating func rows() -> [Row] {
        (0..<below(4)).map { index in
            // An id of its own for each row, so that a mark belongs to one of them.
            let id: JSONValue = coin() ? .number("\(index)") : .string("\(text(5))\(index)")
            return Row(id: id.bytes, json: JSONValue.object([.init("id", id), .init("name", json(2))]).bytes)
        }
    }
}
