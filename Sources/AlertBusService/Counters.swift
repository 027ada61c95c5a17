import AlertBusModel
import AlertBusWire
import Glibc
import ZeroMQ

/// What happened since the start; told by `list` with `counters`.
struct Counters {
    var received: UInt64 = 0
    private(set) var refused: UInt64 = 0
    private(set) var refusedFor: [Reason: UInt64] = [:]
    var accepted: UInt64 = 0
    var published: UInt64 = 0
    var deliveries: UInt64 = 0
    var backlogsDropped: UInt64 = 0
    var resyncs: UInt64 = 0
    /// Messages that were not published because observers held too much.
    var feedDropped: UInt64 = 0
    /// Messages that are none: not decodable, or of several frames.
    var malformed: UInt64 = 0
    /// Messages of peers that claimed a routing id of their own.
    var foreignRoutingIDs: UInt64 = 0
    /// `drawn` of another epoch, or of what the session was never sent.
    var confirmationsIgnored: UInt64 = 0
    /// Invariants found broken at run time. Must stay 0.
    var violations: UInt64 = 0

    mutating func noteRefused(_ reason: Reason) {
        refused += 1
        refusedFor[reason, default: 0] += 1
    }

    /// Why commands and questions are refused; each is always in the report, others when they occurred.
    static let usualReasons: Set<Reason> = [
        .intercepted, .duplicate, .stale, .alreadyEnded, .unknownAlert, .overLimit, .notAllowed, .malformed, .unsupported,
    ]
}

extension Service {
    func counterReport(ref: [UInt8]) -> CountersReport {
        var list: [CountersReport.Counter] = []
        func add(_ name: String, _ value: some BinaryInteger) { list.append(.init(name, UInt64(clamping: value))) }
        let connections = admission.connections
        add("connections", connections.count)
        add("connections_limit", connections.limit)
        add("connections_accepted", connections.accepted)
        add("connections_turned_away", connections.turnedAway)
        add("connections_cut_off", connections.cutOff)
        add("handshakes_failed", connections.failedHandshakes)
        add("keys_refused", admission.refusedKeys)
        add("accepts_without_descriptor", connections.withoutDescriptor)
        add("descriptors", (try? FileDescriptorLimit.openCount()) ?? 0)
        add("descriptors_limit", (try? FileDescriptorLimit.current().soft) ?? 0)
        add("resident_bytes", Self.residentBytes())
        add("sessions", sessions.count)
        add("subscribers", delivery.audience.listenerCount)
        add("screens_tracked", delivery.audience.tracked)
        add("feed_subscriptions", feedSubscriptions.received)
        add("surfaces", arbiter.surfaceCount)
        add("alerts", arbiter.alertCount)
        add("alert_bytes", arbiter.heldBytes)
        let counters = delivery.counters
        add("received", counters.received)
        add("accepted", counters.accepted)
        add("refused", counters.refused)
        for reason in Reason.allCases {
            let count = counters.refusedFor[reason] ?? 0
            if count > 0 || Counters.usualReasons.contains(reason) { add("refused_\(reason.rawValue)", count) }
        }
        add("malformed", counters.malformed)
        add("foreign_routing_ids", counters.foreignRoutingIDs)
        add("confirmations_ignored", counters.confirmationsIgnored)
        add("published", counters.published)
        add("deliveries", counters.deliveries)
        add("backlogs_dropped", counters.backlogsDropped)
        add("resyncs", counters.resyncs)
        add("feed_dropped", counters.feedDropped)
        add("violations", counters.violations)
        return CountersReport(ref: ref, counters: list)
    }

    /// Walks the whole state, so only now and then, and only a small one.
    func checkInvariants() {
        guard now >= nextInvariantCheck, arbiter.alertCount <= Self.checkedAlerts else { return }
        nextInvariantCheck = now + 60_000
        let violations = arbiter.violations()
        delivery.counters.violations += UInt64(violations.count)
        for violation in violations.prefix(10) { report("An invariant is broken; please report it. \(violation)") }
    }

    private static var checkedAlerts: Int { 10_000 }

    /// The memory that the process occupies.
    private static func residentBytes() -> Int {
        guard let file = fopen("/proc/self/statm", "re") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * sysconf(CInt(_SC_PAGESIZE)) : 0
    }
}
