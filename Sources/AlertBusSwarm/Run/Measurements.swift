import AlertBusMeasure
import AlertBusModel

/// What is counted and timed, of the running second and of the whole run.
struct Measurements {
    var counts = SwarmReport.Counts()
    var refused: [Reason: UInt64] = [:]
    private(set) var acknowledgement = Latency()
    private(set) var timeToScreen = Latency()
    private(set) var answer = Latency()
    private(set) var timeline: [SwarmReport.Second] = []

    /// Of this second.
    private var current = (acknowledgement: Latency(), timeToScreen: Latency(), answer: Latency())
    private var before = SwarmReport.Second(second: 0)

    /// Microseconds between two commands of one place in a window, where each waits for the one before; 0 where they are due by the
    /// clock.
    var expectedInterval: UInt64 = 0

    /// - Parameters: the times in nanoseconds when something was due, was done, and had its effect.
    mutating func acknowledged(due: UInt64, sent: UInt64, at now: UInt64) {
        counts.acknowledged += 1
        Self.record(due, sent, now, expectedInterval, &current.acknowledgement)
    }

    mutating func onScreen(due: UInt64, sent: UInt64, at now: UInt64) {
        Self.record(due, sent, now, expectedInterval, &current.timeToScreen)
    }

    mutating func answered(due: UInt64, sent: UInt64, at now: UInt64) {
        Self.record(due, sent, now, 0, &current.answer)
    }

    /// A command that was due and could not be sent while the load lasted.
    mutating func unsent(due: UInt64, at now: UInt64) {
        current.acknowledgement.corrected.record((now - min(now, due)) / 1000)
    }

    private static func record(_ due: UInt64, _ sent: UInt64, _ now: UInt64, _ interval: UInt64, _ latency: inout Latency) {
        latency.raw.record((now - min(now, sent)) / 1000)
        latency.corrected.record((now - min(now, due)) / 1000, expectedInterval: interval)
    }

    /// Ends a second.
    /// - Parameters:
    ///   - shown, ended: so far.
    ///   - arbiter: what it holds, where that is known.
    mutating func endSecond(
        _ second: Int, shown: UInt64, ended: UInt64, arbiter: (resident: UInt64?, descriptors: UInt64?)
    ) -> SwarmReport.Second {
        var entry = SwarmReport.Second(second: second)
        entry.sent = counts.sent - before.sent
        entry.acknowledged = counts.acknowledged - before.acknowledged
        entry.shown = shown - before.shown
        entry.ended = ended - before.ended
        entry.acknowledgement = .init(current.acknowledgement.raw)
        entry.timeToScreen = .init(current.timeToScreen.raw)
        entry.answer = .init(current.answer.raw)
        entry.residentBytes = arbiter.resident
        entry.descriptors = arbiter.descriptors
        before.sent = counts.sent
        before.acknowledged = counts.acknowledged
        before.shown = shown
        before.ended = ended
        takeCurrent()
        timeline.append(entry)
        return entry
    }

    mutating func takeCurrent() {
        acknowledgement.merge(current.acknowledgement)
        timeToScreen.merge(current.timeToScreen)
        answer.merge(current.answer)
        Self.clear(&current.acknowledgement)
        Self.clear(&current.timeToScreen)
        Self.clear(&current.answer)
    }

    private static func clear(_ latency: inout Latency) {
        latency.raw.removeAll()
        latency.corrected.removeAll()
    }
}
