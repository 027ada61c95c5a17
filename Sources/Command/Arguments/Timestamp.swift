import AlertBusModel

/// Points in time as people write them: ISO 8601, or milliseconds since 1970.
package enum Timestamp {
    private static let dayLength: Milliseconds = 86_400_000

    /// In UTC, with milliseconds: `2026-07-06T08:43:38.123Z`.
    package static func text(_ time: Milliseconds) -> String {
        var day = time / dayLength
        var rest = time % dayLength
        if rest < 0 {
            rest += dayLength
            day -= 1
        }
        let (year, month, dayOfMonth) = civil(day)
        let clock = "\(two(rest / 3_600_000)):\(two(rest / 60_000 % 60)):\(two(rest / 1000 % 60))"
        let fraction = String(rest % 1000 + 1000).dropFirst()
        return "\(year)-\(two(month))-\(two(dayOfMonth))T\(clock).\(fraction)Z"
    }

    /// Nil when it is no such text. The time of day may be left out or end after the minutes; without a zone it is UTC.
    package static func milliseconds(_ text: String) -> Milliseconds? {
        if text.utf8.count != 4, let number = Int64(text) { return number }
        var rest = text[...]
        guard let year = number(&rest, 4), take("-", &rest), let month = number(&rest, 2), take("-", &rest),
            let day = number(&rest, 2), (1...12).contains(month), (1...length(of: month, year)).contains(day)
        else { return nil }
        let start = days(year, month, day) * dayLength
        if rest.isEmpty { return start }
        guard take("T", &rest) || take(" ", &rest), let hour = number(&rest, 2), take(":", &rest),
            let minute = number(&rest, 2), hour < 24, minute < 60
        else { return nil }
        var time = start + hour * 3_600_000 + minute * 60_000
        if take(":", &rest) {
            guard let second = number(&rest, 2), second < 60 else { return nil }
            time += second * 1000
            if take(".", &rest) {
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                guard (1...3).contains(digits.count), let value = Int64(digits) else { return nil }
                time += value * [100, 10, 1][digits.count - 1]
                rest = rest.dropFirst(digits.count)
            }
        }
        return zone(rest).map { time - $0 }
    }

    /// Milliseconds east of Greenwich.
    private static func zone(_ text: Substring) -> Milliseconds? {
        if text.isEmpty || text == "Z" { return 0 }
        var rest = text
        let sign: Milliseconds = take("+", &rest) ? 1 : take("-", &rest) ? -1 : 0
        guard sign != 0, let hours = number(&rest, 2), hours < 24 else { return nil }
        _ = take(":", &rest)
        guard let minutes = rest.isEmpty ? 0 : number(&rest, 2), minutes < 60, rest.isEmpty else { return nil }
        return sign * (hours * 3_600_000 + minutes * 60_000)
    }

    private static func take(_ mark: Character, _ rest: inout Substring) -> Bool {
        guard rest.first == mark else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func number(_ rest: inout Substring, _ count: Int) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        rest = rest.dropFirst(count)
        return Int64(digits)
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func length(of month: Int64, _ year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(month) - 1]
    }

    /// Days since 1970. Years begin in March here, so that the leap day is the last one.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
