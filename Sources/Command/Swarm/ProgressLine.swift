import AlertBusMeasure
import AlertBusSwarm
import Glibc

/// One line on the terminal that says where a swarm is; nothing where standard error is none.
final class ProgressLine {
    private let isShown: Bool
    private var hasLine = false

    init(isQuiet: Bool) { isShown = !isQuiet && isatty(STDERR_FILENO) == 1 }

    func show(_ progress: SwarmProgress, _ options: SwarmOptions) {
        guard isShown else { return }
        write("\r\u{1B}[K" + TextWidth.cut(Self.text(progress, options), to: max(20, width - 1)))
        hasLine = true
    }

    /// Leaves the line for what is printed next.
    func end() {
        guard hasLine else { return }
        write("\r\u{1B}[K")
        hasLine = false
    }

    static func text(_ progress: SwarmProgress, _ options: SwarmOptions) -> String {
        let bar = self.bar(progress.done)
        switch progress.phase {
        case .connecting: return "\(bar) connecting \(progress.ready)/\(progress.connections)"
        case .draining: return "\(bar) waiting for \(progress.living) alerts to end\(findings(progress))"
        case .loading:
            let second = progress.second
            var parts = [
                "\(bar) \(second.second + 1)s", "sent \(second.sent)/s",
                "replies \(second.acknowledged)/s" + times(second.acknowledgement),
            ]
            parts.append("shown \(second.shown)/s" + times(second.timeToScreen))
            if second.answer != nil { parts.append("answers" + times(second.answer)) }
            parts.append("alive \(progress.living)")
            return parts.joined(separator: "  ") + findings(progress)
        }
    }

    private static func bar(_ done: Double) -> String {
        let width = 12
        let filled = Int(Double(width) * min(1, max(0, done)))
        return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled) + "]"
    }

    private static func times(_ percentiles: SwarmReport.Second.Percentiles?) -> String {
        percentiles.map { " \(time($0.p50))/\(time($0.p99))" } ?? ""
    }

    private static func time(_ microseconds: UInt64) -> String {
        microseconds < 10_000 ? "\(microseconds)µs" : "\(microseconds / 1000)ms"
    }

    private static func findings(_ progress: SwarmProgress) -> String {
        progress.findings == 0 ? "" : "  FINDINGS \(progress.findings)"
    }

    private var width: Int {
        var size = winsize()
        return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    private func write(_ text: String) { StandardError.write(Array(text.utf8)[...]) }
}
