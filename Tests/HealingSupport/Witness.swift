import AlertBus
import AlertBusWire
import Synchronization

/// Draws one subscriber's screens as a UI would, and notes whatever a UI must never see.
final class Witness: Sendable {
    private struct Log {
        var screens: [String: [ShownAlert]] = [:]
        /// What was hidden. On a surface where covered alerts stay, a hide is the end.
        var hidden: Set<String> = []
        var events = 0
        /// How often a connection that had been there came back.
        var reconnects = 0
        var wasConnected = false
        var isAway = false
        var faults: [String] = []
    }

    private let log = Mutex(Log())

    func saw(_ event: ScreenEvent) {
        log.withLock { log in
            log.events += 1
            switch event {
            case .show(let surface, let alert, _): Self.show(alert, surface, &log)
            case .update(let surface, let alert, _):
                guard let place = log.screens[surface]?.firstIndex(where: { $0.instance == alert.instance }) else {
                    return Self.note("an update of \(alert.key) on \(surface), which is not shown", &log)
                }
                log.screens[surface]?[place] = alert
            case .hide(let surface, let alert, _):
                guard let place = log.screens[surface]?.firstIndex(where: { $0.instance == alert.instance }) else {
                    return Self.note("a hide of \(alert.key) on \(surface), which is not shown", &log)
                }
                log.screens[surface]?.remove(at: place)
                log.hidden.insert(Self.name(alert, surface))
            case .link(.reconnecting): if log.wasConnected { log.isAway = true }
            case .link(.connected):
                if log.isAway { log.reconnects += 1 }
                log.isAway = false
                log.wasConnected = true
            case .link(.stale): break
            }
        }
    }

    private static func show(_ alert: ShownAlert, _ surface: String, _ log: inout Log) {
        if log.screens[surface, default: []].contains(where: { $0.instance == alert.instance }) {
            return note("\(alert.key) is shown on \(surface) although it is there", &log)
        }
        if log.hidden.contains(name(alert, surface)) { note("\(alert.key) is shown on \(surface) although it has ended", &log) }
        log.screens[surface, default: []].append(alert)
    }

    private static func note(_ fault: String, _ log: inout Log) {
        if log.faults.count < 20 { log.faults.append(fault) }
    }

    /// A restarted arbiter without a journal counts its instances anew.
    private static func name(_ alert: ShownAlert, _ surface: String) -> String { "\(surface) \(alert.key) \(alert.instance)" }

    /// What was drawn, where the library stands, and what went wrong.
    func report(_ subscriber: Subscriber) -> JSONValue {
        let screens = subscriber.screens
        let repairs = subscriber.repairs
        let link = subscriber.link
        return log.withLock { log in
            let drawn = screens.map { screen in
                JSONValue.Member(
                    screen.surface,
                    .array([
                        .number("\(screen.epoch)"), .number("\(screen.seq)"),
                        .string(ScreenDigest(of: log.screens[screen.surface] ?? []).text),
                    ]))
            }
            let orphans = log.screens.filter { surface, alerts in
                !alerts.isEmpty && !screens.contains { $0.surface == surface }
            }
            return [
                "link": .string(link.rawValue), "events": .number("\(log.events)"), "reconnects": .number("\(log.reconnects)"),
                "repairs": .object(RepairCause.allCases.map { .init($0.rawValue, .number("\(repairs[$0])")) }),
                "faults": .array((log.faults + orphans.keys.sorted().map { "something is left on \($0)" }).map { .string($0) }),
                "screens": .object(drawn),
            ]
        }
    }
}
