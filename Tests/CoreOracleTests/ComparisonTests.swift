import AlertBusModel
import CoreOracle
import Testing

/// The machinery must be silent about an equal core and loud about a wrong one.
@Suite struct ComparisonTests {
    @Test func `the model does not differ from itself`() {
        let comparison = Comparison { SimpleArbiter(policies: $0, limits: $1, epoch: $2) }
        for seed in 1...40 as ClosedRange<UInt64> {
            let difference = comparison.compare(seed: seed, steps: 100)
            #expect(difference == nil, "\(difference?.description ?? "")")
        }
    }

    @Test func `a core that forgets to say that an alert was covered is found, in three steps`() throws {
        let comparison = Comparison { Faulty(SimpleArbiter(policies: $0, limits: $1, epoch: $2)) { $0.isCovered } }
        let difference = try #require((1...50).lazy.compactMap { comparison.compare(seed: $0, steps: 200) }.first)
        #expect(difference.inputs.count <= 3, "\(difference)")
        #expect(difference.expected.contains { $0.contains("covered") })
    }

    @Test func `a core that sleeps through its deadlines is found`() throws {
        let comparison = Comparison { Sleepy(model: SimpleArbiter(policies: $0, limits: $1, epoch: $2)) }
        let difference = try #require((1...50).lazy.compactMap { comparison.compare(seed: $0, steps: 200) }.first)
        #expect(difference.inputs.count <= 3, "\(difference)")
    }

    @Test func `the enumerator visits every sequence and finds the shortest difference`() throws {
        var content = AlertContent()
        content.intercept = false
        let alphabet: [(wait: Milliseconds, input: Input)] = [
            (0, .command(.raise(Raise(surface: "s", key: "a")), from: Requester())),
            (0, .command(.raise(Raise(surface: "s", key: "b", content: content)), from: Requester())),
            (350, .tick),
        ]
        var policies = PolicySet()
        let right = Comparison { SimpleArbiter(policies: $0, limits: $1, epoch: $2) }
        let all = right.exhaust(alphabet, length: 4, policies: policies)
        #expect(all.difference == nil)
        #expect(all.steps == 3 + 9 + 27 + 81)
        policies.fallback.covered = .hide
        let wrong = Comparison { Faulty(SimpleArbiter(policies: $0, limits: $1, epoch: $2)) { $0.isCovered } }
        let difference = try #require(wrong.exhaust(alphabet, length: 4, policies: policies).difference)
        #expect(difference.inputs.count == 2, "\(difference)")
    }
}

/// Leaves out some effects.
private struct Faulty: Machine {
    var model: SimpleArbiter
    let isLost: (Effect) -> Bool

    init(_ model: SimpleArbiter, isLost: @escaping (Effect) -> Bool) {
        self.model = model
        self.isLost = isLost
    }

    var nextDeadline: Milliseconds? { model.nextDeadline }

    mutating func step(_ input: Input, at time: Milliseconds) -> [Effect] {
        model.step(input, at: time).filter { !isLost($0) }
    }
}

/// Does nothing in a step before which something was due.
private struct Sleepy: Machine {
    var model: SimpleArbiter
    var nextDeadline: Milliseconds? { nil }

    mutating func step(_ input: Input, at time: Milliseconds) -> [Effect] {
        if let deadline = model.nextDeadline, deadline <= time { return [] }
        return model.step(input, at: time)
    }
}

extension Effect {
    fileprivate var isCovered: Bool {
        if case .receipt(let receipt, _) = self { return receipt.event == .covered }
        return false
    }
}
