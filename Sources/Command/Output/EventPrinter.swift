import AlertBusModel
import AlertBusWire
import Glibc

/// Prints what happens on screens, one line for each event.
struct EventPrinter: Sendable {
    enum Change: String { case show, update, hide }

    let hasColours: Bool

    init() { hasColours = Terminal.hasColours }

    func printEvent(_ surface: String, _ change: Change, _ alert: ShownAlert, _ reason: Reason?) {
        StandardOutput.line(line(surface, change, alert, reason, at: SystemClock.wall()))
    }

    /// - Parameter reason: nil when a repair or the first snapshot brought it.
    func line(
        _ surface: String, _ change: Change, _ alert: ShownAlert, _ reason: Reason?, at time: Milliseconds
    ) -> String {
        var parts = [
            painted(LocalTime.text(time), .faint), Quoting.safe(surface),
            painted(change.rawValue.padding(6), Self.colour(of: change)), Quoting.safe(alert.key),
        ]
        let priority = "P\(alert.priority)"
        parts.append(alert.priority >= 3 ? painted(priority, .loud) : priority)
        if let title = title(of: alert), !title.isEmpty { parts.append(Quoting.quoted(title)) }
        parts.append(painted("(\(reason?.rawValue ?? "snapshot"))", .faint))
        return parts.joined(separator: "  ")
    }

    private func title(of alert: ShownAlert) -> String? {
        guard !alert.params.isEmpty, let params = try? JSONValue(alert.params) else { return nil }
        return params["title"]?.string
    }

    // MARK: Colours

    private enum Style: String {
        case faint = "2"
        case good = "32"
        case changed = "33"
        case gone = "31"
        case loud = "1;31"
    }

    private static func colour(of change: Change) -> Style {
        switch change {
        case .show: .good
        case .update: .changed
        case .hide: .gone
        }
    }

    private func painted(_ text: String, _ style: Style) -> String {
        hasColours ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}

extension String {
    /// The text with spaces up to a width.
    fileprivate func padding(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

enum LocalTime {
    /// `14:03:59.120` where the process is.
    static func text(_ milliseconds: Milliseconds) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        func digits(_ value: Int, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return "\(digits(Int(parts.tm_hour), 2)):\(digits(Int(parts.tm_min), 2)):\(digits(Int(parts.tm_sec), 2))."
            + digits(Int(milliseconds % 1000), 3)
    }
}
