import FullMix
import Foundation
import Testing

/// Some minutes of what `Config/soak simulated` does for hours.
@Suite(.serialized) struct FullMixTests {
    private func run(seed: UInt64, seconds: Int64, restartEvery: Int64, checkEvery: Int64) throws -> MixReport {
        let directory = FileManager.default.temporaryDirectory.appending(path: "alertbus-mix-\(UInt32.random(in: 0 ... .max))").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var plan = FullMix.Plan(directory: directory)
        plan.seed = seed
        plan.duration = seconds * 1000
        plan.restartEvery = restartEvery
        plan.checkEvery = checkEvery
        return try FullMix(plan).run()
    }

    @Test func `two minutes of everything keep every invariant, and end as their replay does`() throws {
        let seed = ProcessInfo.processInfo.environment["ALERTBUS_SEED"].flatMap(UInt64.init) ?? 7
        let report = try run(seed: seed, seconds: 120, restartEvery: 25_000, checkEvery: 200)
        print(
            "full mix: \(report.messages) messages, \(report.inputs) inputs, \(report.restarts) restarts, \(report.checks) checks, "
                + "\(report.screensCompared) screens compared, \(report.snapshotsCompared) snapshots")
        #expect(report.messages > 120 * 200)
        #expect(report.restarts >= 3)
        #expect(report.screensCompared > 500)
        #expect(report.repairs > 0)
        #expect(report.missingReasons.isEmpty, "\(report.missingReasons)")
        #expect(report.limitsNotMet.isEmpty, "\(report.limitsNotMet)")
        #expect(report.counters["malformed"] ?? 0 > 0)
        #expect(report.counters["refused_over_limit"] ?? 0 > 0)
    }

    @Test func `one seed is one history`() throws {
        let first = try run(seed: 3, seconds: 15, restartEvery: 6000, checkEvery: 5000)
        let second = try run(seed: 3, seconds: 15, restartEvery: 6000, checkEvery: 5000)
        #expect(first.digest == second.digest)
        #expect(first.inputs == second.inputs)
        #expect(first.messages == second.messages)
        #expect(try run(seed: 4, seconds: 15, restartEvery: 6000, checkEvery: 5000).digest != first.digest)
    }
}
