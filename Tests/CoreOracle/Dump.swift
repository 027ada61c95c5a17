import AlertBusModel

extension SimpleArbiter {
    /// The state of every surface, for people who look for a difference.
    package var dump: String {
        var lines = ["epoch \(epoch), at \(now), next \(nextDeadline.map(String.init) ?? "none")"]
        for surface in surfaces {
            lines.append(
                "\(surface.name): seq \(surface.seq), \(surface.held ? "held" : "not held"), "
                    + "gap \(surface.gapEnd.map { "until \($0)" } ?? "none"), batch \(surface.batch)")
            lines.append("  shown    " + text(stack(of: surface.name)))
            for state in [PresentationState.covered, .deferred, .loading] {
                let some = ranked(alerts(on: surface.name).filter { $0.state == state })
                lines.append("  \(state.rawValue.padded(to: 8)) " + text(some))
            }
        }
        return lines.joined(separator: "\n")
    }

    private func text(_ alerts: [SimpleAlert]) -> String {
        if alerts.isEmpty { return "-" }
        return alerts.map { alert in
            var text = "\(alert.key)/\(alert.producer)(\(alert.instance) r\(alert.revision) p\(priority(of: alert))"
            if alert.state == .shown { text += alert.onTop ? " top" : " under" }
            if alert.urgent { text += " urgent" }
            if let expires = alert.expiresAt { text += " expires \(expires)" }
            if let left = alert.displayLeft(at: now) { text += " left \(left)" }
            for load in alert.loads { text += " load \(load.number) until \(load.deadline)" }
            return text + ")"
        }.joined(separator: " ")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
