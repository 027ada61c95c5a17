import Foundation

/// Numbers as people read them, each with its unit.
enum Figure {
    /// `1,234,567`
    static func count(_ number: UInt64) -> String { grouped(String(number)) }

    /// A time given in microseconds, with three digits: `950 µs`, `1.20 ms`, `12.3 s`, `2,400 s`.
    static func time(_ microseconds: UInt64) -> String { time(Double(microseconds)) }

    static func time(_ microseconds: Double) -> String {
        if microseconds < 999.5 { return "\(fixed(microseconds, digits: 0)) µs" }
        return microseconds < 999_500
            ? "\(allThreeDigits(microseconds / 1000)) ms" : "\(allThreeDigits(microseconds / 1_000_000)) s"
    }

    /// The same without zeros at the end, for round times: `1 ms`.
    static func shortTime(_ microseconds: Double) -> String {
        switch microseconds {
        case ..<1000: "\(threeDigits(microseconds)) µs"
        case ..<1_000_000: "\(threeDigits(microseconds / 1000)) ms"
        default: "\(threeDigits(microseconds / 1_000_000)) s"
        }
    }

    /// `5,000/s`, `12.5/s`
    static func rate(_ perSecond: Double) -> String { "\(threeDigits(perSecond))/s" }

    /// `60 s`, `0.25 s`
    static func seconds(_ seconds: Double) -> String { "\(threeDigits(seconds)) s" }

    /// `512 B`, `12.3 MiB`
    static func bytes(_ bytes: UInt64) -> String {
        var value = Double(bytes)
        for unit in ["B", "KiB", "MiB"] {
            if value < 999.5 { return "\(threeDigits(value)) \(unit)" }
            value /= 1024
        }
        return "\(threeDigits(value)) GiB"
    }

    /// `1.20 ×`
    static func ratio(_ ratio: Double) -> String { ratio.isFinite ? "\(allThreeDigits(ratio)) ×" : "from none" }

    /// A time of day given in milliseconds since 1970, in UTC: `2026-03-01 14:05:09Z`.
    static func date(_ milliseconds: UInt64) -> String {
        let seconds = Double(min(milliseconds, 1 << 47) / 1000)
        return Date(timeIntervalSince1970: seconds).formatted(.iso8601.dateTimeSeparator(.space))
    }

    /// `99`, `99.9`
    static func percentile(_ percentile: Double) -> String { plain(percentile, digits: 4) }

    /// Three digits or more, with zeros at the end, so that columns of them can be compared.
    private static func allThreeDigits(_ number: Double) -> String {
        switch abs(number) {
        case 99.95...: grouped(fixed(number, digits: 0))
        case 9.995...: fixed(number, digits: 1)
        default: fixed(number, digits: 2)
        }
    }

    /// At most three significant digits, and all digits of what is longer.
    static func threeDigits(_ number: Double) -> String {
        guard number.isFinite else { return "?" }
        switch abs(number) {
        case 99.95...: return grouped(fixed(number, digits: 0))
        case 9.995...: return plain(number, digits: 1)
        default: return plain(number, digits: 2)
        }
    }

    /// So many digits behind the point, without zeros at the end.
    static func plain(_ number: Double, digits: Int) -> String {
        var text = fixed(number, digits: digits)
        guard text.contains(".") else { return text }
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }

    private static func fixed(_ number: Double, digits: Int) -> String { String(format: "%.\(digits)f", number) }

    private static func grouped(_ digits: String) -> String {
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3), digits[digits.startIndex] != "-" || index > 1 { text += "," }
            text.append(digit)
        }
        return text
    }
}
