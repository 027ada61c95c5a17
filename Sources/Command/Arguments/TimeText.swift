import AlertBusModel

/// Times as people write them: `500ms`, `5s`, `1.5s`, `2m`, `1h`, `1d`.
package enum TimeText {
    private static let units: [(suffix: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// Nil when it is no such text, or not a whole number of milliseconds.
    package static func milliseconds(_ text: String) -> Milliseconds? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let suffix = text.dropFirst(number.count)
        guard let unit = units.first(where: { $0.suffix == suffix }) else { return nil }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = Int64(parts[0]) else { return nil }
        let (product, overflow) = whole.multipliedReportingOverflow(by: unit.milliseconds)
        if overflow { return nil }
        guard parts.count == 2 else { return product }
        guard (1...6).contains(parts[1].count), let digits = Int64(parts[1]) else { return nil }
        let scale = parts[1].reduce(Int64(1)) { scale, _ in scale * 10 }
        let fraction = digits * unit.milliseconds
        guard fraction % scale == 0 else { return nil }
        let (sum, sumOverflow) = product.addingReportingOverflow(fraction / scale)
        return sumOverflow ? nil : sum
    }

    /// The shortest of these texts that says the same, for people.
    package static func text(_ milliseconds: Milliseconds) -> String {
        for unit in units.reversed() where milliseconds >= unit.milliseconds && milliseconds % unit.milliseconds == 0 {
            return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
        }
        return "\(milliseconds)ms"
    }

    /// About how long, in one or two units.
    package static func rough(_ milliseconds: Milliseconds) -> String {
        switch milliseconds {
        case ..<1000: return "\(milliseconds)ms"
        case ..<60_000: return "\(milliseconds / 1000)s"
        case ..<3_600_000: return "\(milliseconds / 60_000)m\(milliseconds / 1000 % 60)s"
        case ..<86_400_000: return "\(milliseconds / 3_600_000)h\(milliseconds / 60_000 % 60)m"
        default: return "\(milliseconds / 86_400_000)d\(milliseconds / 3_600_000 % 24)h"
        }
    }
}
