import AlertBusConfiguration
import AlertBusModel
import AlertBusService
import ZeroMQ

/// The real service with its real journal on a simulated clock, among peers that do everything that peers do.
///
/// One seed is one history: whatever is found can be had again.
package final class FullMix {
    package struct Plan: Sendable {
        package var seed: UInt64 = 1
        /// Simulated.
        package var duration: Milliseconds = 7_200_000
        /// The arbiter is killed after so long, and every third time it is ended properly.
        package var restartEvery: Milliseconds = 420_000
        /// The whole state is looked through so often.
        package var checkEvery: Milliseconds = 1000
        /// Where the journal is made. It must be empty.
        package var directory: String

        package init(directory: String) { self.directory = directory }
    }

    /// Between two looks at what peers want to do.
    static let stepLength: Milliseconds = 40

    let plan: Plan
    private let time: SimulatedTime
    private let start: Milliseconds
    private var service: Service?
    private var context: Context?
    private var edition = 0
    private let people: PeoplePeer
    private let hostile: HostilePeer
    private let screens: [ScreenPeer]
    private let peers: [Peer]
    private var dice: Dice
    private(set) var report: MixReport

    package init(_ plan: Plan) throws {
        self.plan = plan
        // A moment like any other, so that a run depends on its seed alone.
        start = 1_800_000_000_000
        let (seed, start) = (plan.seed, self.start)
        time = SimulatedTime(start)
        dice = Dice(seed: seed, "world")
        people = PeoplePeer(rate: 50, seed: seed, at: start)
        hostile = HostilePeer(rate: 150, seed: seed, at: start)
        screens = [
            try ScreenPeer("wall", ["/"], seed: seed, at: start), try ScreenPeer("lobby", ["lobby/"], seed: seed, at: start),
            try ScreenPeer("mixed", ["desk/1", "hall/", "quiet/1"], seed: seed, at: start),
            try ScreenPeer("slow", ["/"], stalls: true, seed: seed, at: start),
        ]
        let producers = (0..<8).map { ProducerPeer("p\($0)", rate: 20, seed: seed, at: start) }
        let providers = [
            ProviderPeer("registry", World.sources, seed: seed, at: start),
            ProviderPeer("spare", ["houses"], seed: seed, at: start),
        ]
        peers = producers + [people, hostile] + screens + providers
        report = MixReport(seed: seed)
    }

    /// - Parameter progress: hears of each simulated minute.
    /// - Throws: `MixFault` with the simulated moment at which something was wrong, and what.
    package func run(progress: (MixReport) -> Void = { _ in }) throws -> MixReport {
        do {
            try begin()
            var nextCheck = start
            var nextSample = start + 60_000
            var nextRestart = start + plan.restartEvery
            var nextReload = start + dice.pause(every: 90_000)
            let end = start + plan.duration
            while time.now < end {
                time.now += Self.stepLength
                try step()
                if time.now >= nextCheck {
                    nextCheck = time.now + plan.checkEvery
                    try check()
                }
                if time.now >= nextReload {
                    nextReload = time.now + dice.pause(every: 90_000)
                    try reload()
                }
                if time.now >= nextRestart {
                    nextRestart = time.now + plan.restartEvery
                    try restart()
                }
                if time.now >= nextSample || time.now >= end {
                    nextSample = time.now + 60_000
                    report.memory.add(at: time.now - start)
                    report.simulated = time.now - start
                    progress(report)
                }
            }
            try finish()
        } catch {
            throw MixFault("seed \(plan.seed), after \(time.now - start) simulated ms: \(error)")
        }
        return report
    }

    private func begin() throws {
        let service = try Service(
            configuration: try World.configuration(directory: plan.directory, edition: edition), time: time)
        self.service = service
        context = try service.admitPeers(as: Line.name)
        if let digest = report.digest, digest != service.state.digest() {
            throw MixFault("the state after a restart is not the one before")
        }
        try service.beginServing()
        try service.serve()
    }

    private func step() throws {
        guard let service, let context else { return }
        for peer in peers { try peer.step(context, at: time.now) }
        try service.serve()
        for peer in peers { try peer.take(at: time.now) }
        // What screens and providers answer to what they have just heard.
        try service.serve()
    }

    private func check() throws {
        guard let state = service?.state else { return }
        let violations = state.violations()
        guard violations.isEmpty else { throw MixFault("an invariant is broken: \(violations)") }
        for screen in screens where try screen.compare(state, at: time.now) { report.screensCompared += 1 }
        report.checks += 1
        report.mostAlerts = max(report.mostAlerts, state.alertCount)
        guard state.alertCount <= state.limits.alerts, state.heldBytes <= state.limits.bytes,
            state.surfaceCount <= state.limits.surfaces
        else { throw MixFault("more is held than the limits allow") }
    }

    private func reload() throws {
        edition += 1
        service?.control.reload(try World.configuration(directory: plan.directory, edition: edition))
        try service?.serve()
        report.reloads += 1
    }

    /// Everything that was acknowledged is in the journal; connections are gone, and nobody serves for a while.
    private func restart() throws {
        try countMessages()
        report.digest = service?.state.digest()
        if report.restarts % 3 == 2 { try service?.endServing() } else { service?.abandonServing() }
        let back = time.now + dice.time(100...20_000)
        for peer in peers { peer.lost(at: time.now, until: back) }
        weak let ended = service
        service = nil
        context = nil
        guard ended == nil else { throw MixFault("a service that has ended is kept in memory") }
        time.now = back
        report.restarts += 1
        try begin()
    }

    private func countMessages() throws {
        guard let counters = people.counters else { return }
        for counter in counters.counters { report.add(counter) }
        if counters["violations"] ?? 1 != 0 { throw MixFault("the service counted broken invariants") }
    }

    private func finish() throws {
        try check()
        try countMessages()
        try service?.endServing()
        let digest = service?.state.digest()
        for peer in peers { peer.lost(at: time.now, until: time.now) }
        service = nil
        context = nil
        let (history, summary) = try History.check(plan.directory + "/journal")
        guard summary.digest == digest else { throw MixFault("the replay ends in another state") }
        report.digest = digest
        report.reasons = history.reasons
        report.inputs = summary.end
        report.snapshotsCompared = summary.checked
        report.messages = peers.reduce(0) { $0 + $1.line.sent }
        report.limitsMet = hostile.limitsMet.sorted()
        report.repairs = screens.reduce(0) { $0 + $1.repairs.total }
    }
}
