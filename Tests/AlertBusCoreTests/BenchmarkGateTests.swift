import AlertBusCore
import AlertBusModel
import Foundation
import Testing

/// The core must be as quick with a million waiting alerts as with a thousand, and small.
@Suite struct BenchmarkGateTests {
    /// The release build of `CoreBenchmark`; the project's test script sets it.
    static let benchmark = ProcessInfo.processInfo.environment["ALERTBUS_CORE_BENCHMARK"]

    private struct Figures: Decodable {
        var ratio: Double
        var bytes_per_waiting_alert: Int
    }

    @Test(.enabled(if: benchmark != nil, "ALERTBUS_CORE_BENCHMARK names the release build of CoreBenchmark"))
    func `a million waiting alerts cost at most twice the time of a thousand, and at most 1 KiB each`() throws {
        // A busy machine disturbs a measurement; it does not disturb three of them.
        var found: [Figures] = []
        for _ in 0..<3 {
            found.append(try measure())
            if found.last!.ratio <= 2 { break }
        }
        #expect(found.contains { $0.ratio <= 2 }, "\(found.map(\.ratio))")
        for figures in found { #expect(figures.bytes_per_waiting_alert <= 1024) }
    }

    private func measure() throws -> Figures {
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.benchmark))
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // It must not hang the tests.
        let limit = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 240, execute: limit)
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        limit.cancel()
        #expect(process.terminationStatus == 0)
        return try JSONDecoder().decode(Figures.self, from: bytes)
    }

    /// In any build: forty times as many that wait must not make the quickest of many rounds much slower; a step that walks
    /// them would take forty times as long.
    @Test func `a step does not walk what waits`() throws {
        var few = Screen(waiting: 500)
        var many = Screen(waiting: 20_000)
        // In turn, so that a change of the machine's speed meets both.
        var best = (few: Duration.seconds(60), many: Duration.seconds(60))
        for _ in 0..<40 {
            best.few = min(best.few, few.round())
            best.many = min(best.many, many.round())
        }
        #expect(best.many < best.few * 4, "\(best.few) with few, \(best.many) with many waiting")
    }

    /// One surface with a steady number of waiting alerts.
    private struct Screen {
        private var arbiter: Arbiter
        private var effects: [Effect] = []
        private var next = 0

        init(waiting: Int) {
            var policy = Policy()
            policy.capacity = 100_000
            policy.activationDelay = 0
            arbiter = Arbiter(policies: PolicySet(fallback: policy))
            for _ in 0...waiting { raise() }
        }

        /// So many arrivals, and ends with an election each.
        mutating func round() -> Duration {
            ContinuousClock().measure {
                for _ in 0..<20 {
                    raise()
                    take(.dismiss(surface: "s", .top, revision: nil))
                }
            }
        }

        private mutating func raise() {
            next += 1
            var content = AlertContent()
            content.priority = UInt8(next % 3 + 1)
            take(.raise(Raise(surface: "s", key: "k\(next)", content: content)))
        }

        private mutating func take(_ command: Command) {
            effects.removeAll(keepingCapacity: true)
            arbiter.step(.command(command, from: Requester()), at: 0, into: &effects)
        }
    }
}
