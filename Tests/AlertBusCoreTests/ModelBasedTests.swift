import AlertBusCore
import AlertBusModel
import CoreOracle
import Foundation
import Testing

/// The core and the simple model get the same inputs and must say the same.
///
/// `ALERTBUS_SEED=n swift test --filter ModelBased` runs one seed again.
@Suite struct ModelBasedTests {
    private let comparison = Comparison { CoreUnderTest(Arbiter(policies: $0, limits: $1, epoch: $2)) }

    @Test func `random runs`() {
        let steps = 300
        var seeds = Array(1...340 as ClosedRange<UInt64>)
        seeds.append(UInt64(Date().timeIntervalSince1970))
        if let seed = ProcessInfo.processInfo.environment["ALERTBUS_SEED"].flatMap(UInt64.init) { seeds = [seed] }
        print("model-based: \(seeds.count) runs of \(steps) steps, seeds \(seeds.first!)... and \(seeds.last!)")
        // A few differences, not only the first: they may have different causes.
        let differences = seeds.lazy.compactMap { comparison.compare(seed: $0, steps: steps) }.prefix(5)
        for difference in differences.sorted(by: { $0.inputs.count < $1.inputs.count }) {
            Issue.record("\(difference)")
        }
    }

    @Test func `every sequence of up to five arrivals, dismissals and waits`() {
        exhaust(SmallCases.arrivals, SmallCases.arrivalPolicies)
    }

    @Test func `every sequence of up to five clocks, holds and releases`() {
        exhaust(SmallCases.clocks, SmallCases.clockPolicies)
    }

    private func exhaust(_ alphabet: [SmallCases.Letter], _ policies: [Policy]) {
        for policy in policies {
            let result = comparison.exhaust(alphabet, length: 5, policies: PolicySet(fallback: policy))
            if let difference = result.difference {
                Issue.record("\(difference)")
            } else {
                // 7 + 49 + … + 7^5
                #expect(result.steps == 19_607)
            }
        }
    }
}

/// The core as the comparison wants it.
struct CoreUnderTest: Machine {
    var arbiter: Arbiter
    /// What is shown stays when the rules change, even if the new ones would not allow it.
    private var rulesChanged = false

    init(_ arbiter: Arbiter) { self.arbiter = arbiter }

    var nextDeadline: Milliseconds? { arbiter.nextDeadline }

    mutating func step(_ input: Input, at time: Milliseconds) -> [Effect] {
        var effects: [Effect] = []
        if case .configured = input { rulesChanged = true }
        arbiter.step(input, at: time, into: &effects)
        return effects
    }

    /// Every invariant must hold, and a core that is saved and read again must go on as if nothing had happened.
    mutating func rest() -> [String] {
        let faults = rulesChanged ? [] : arbiter.violations()
        do {
            let saved = arbiter.save()
            arbiter = try Arbiter(saved: saved)
            return arbiter.digest() == Arbiter.digest(of: saved) ? faults : faults + ["another digest after reading"]
        } catch {
            return faults + ["it does not read what it saved: \(error)"]
        }
    }
}
