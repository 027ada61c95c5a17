/// Numbers of a fixed width, so that a prepared message gets another number without moving.
package enum Digits {
    /// Added to what is written, so that it always has 19 digits, the first of which is not 0.
    package static let base: UInt64 = 1_000_000_000_000_000_000
    package static let count = 19

    /// Writes `base + value` at `target`, which has room for 19 bytes. `value` is below 8 * 10^18.
    package static func write(_ value: UInt64, to target: UnsafeMutablePointer<UInt8>) {
        var rest = base &+ value
        var place = count
        while place > 0 {
            place -= 1
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            target[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
            rest = quotient
        }
    }

    /// What `write` wrote; nil for anything else.
    package static func read(_ bytes: UnsafePointer<UInt8>, _ length: Int) -> UInt64? {
        guard length == count else { return nil }
        var value: UInt64 = 0
        for place in 0..<count {
            let digit = bytes[place] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value &* 10 &+ UInt64(digit)
        }
        return value >= base ? value - base : nil
    }
}
