import AlertBusCore
import AlertBusModel
import CoreOracle
import Foundation
import TestSupport
import Testing

/// Random runs of the core alone. `ALERTBUS_SEED=n swift test --filter PropertyTests` runs one seed again.
@Suite struct PropertyTests {
    static let seeds: [UInt64] = {
        if let seed = ProcessInfo.processInfo.environment["ALERTBUS_SEED"].flatMap(UInt64.init) { return [seed] }
        return Array(1...40)
    }()

    @Test(arguments: seeds)
    func `after every step the invariants hold, and the streams say the same as the state`(_ seed: UInt64) {
        var run = CoreRun(seed: seed)
        var rules = StreamRules()
        for _ in 0..<300 {
            let effects = run.step()
            rules.take(run.inputs.last!.input, effects)
            rules.compare(with: run.arbiter.snapshots(in: .all), living: run.arbiter.alertCount)
            let faults = run.arbiter.violations() + rules.faults
            if !faults.isEmpty {
                Issue.record("seed \(seed), step \(run.inputs.count): \(faults)\n\(run.story)")
                return
            }
        }
    }

    @Test(arguments: seeds.prefix(24))
    func `a core that was saved and read goes on exactly as the one that was not`(_ seed: UInt64) throws {
        var run = CoreRun(seed: seed)
        // Several of them, read at different times, all go on to the end.
        var others: [Arbiter] = []
        for step in 0..<300 {
            let effects = run.step()
            let (time, input) = (run.inputs.last!.time, run.inputs.last!.input)
            for index in others.indices {
                var found: [Effect] = []
                others[index].step(input, at: time, into: &found)
                if found != effects || others[index].nextDeadline != run.arbiter.nextDeadline {
                    let difference = "\(found.map(\.line)), not \(effects.map(\.line))"
                    Issue.record("seed \(seed), step \(step), other \(index): \(difference)\n\(run.story)")
                    return
                }
            }
            guard step % 4 == 3 else { continue }
            let saved = run.arbiter.save()
            let read = try Arbiter(saved: saved)
            if read.save() != saved {
                Issue.record("seed \(seed), step \(step): other bytes after reading\n\(run.story)")
                return
            }
            if step % 60 == 7 { others.append(read) }
            for index in others.indices where step % 20 == 19 && others[index].save() != saved {
                Issue.record("seed \(seed), step \(step), other \(index): another state\n\(run.story)")
                return
            }
        }
        #expect(others.count == 5)
    }

    @Test(arguments: seeds.prefix(10))
    func `the same inputs give the same effects and the same state`(_ seed: UInt64) {
        var run = CoreRun(seed: seed)
        var effects: [[Effect]] = []
        for _ in 0..<300 { effects.append(run.step()) }
        var again = Arbiter(policies: run.policies, limits: run.limits)
        for (index, step) in run.inputs.enumerated() {
            var found: [Effect] = []
            again.step(step.input, at: step.time, into: &found)
            guard found == effects[index] else {
                Issue.record("seed \(seed), step \(index): \(found.map(\.line)) is not \(effects[index].map(\.line))")
                return
            }
        }
        #expect(again.save() == run.arbiter.save())
    }

    /// A detector that never fires proves nothing.
    @Test func `the watcher of streams sees each fault`() {
        func hide(_ seq: UInt64, _ instance: UInt64) -> Effect { publish(seq, .hide(key: "a", instance: instance)) }
        func show(_ seq: UInt64, _ instance: UInt64) -> Effect {
            publish(seq, .show(ShownAlert(key: "a", instance: instance, revision: 1, priority: 1)))
        }
        func publish(_ seq: UInt64, _ change: StreamMessage.Change) -> Effect {
            .publish(StreamMessage(surface: "s", epoch: 1, seq: seq, reason: .raised, change: change))
        }
        func ended(_ instance: UInt64) -> Effect {
            .receipt(
                Receipt(surface: "s", key: "a", instance: instance, revision: 1, event: .ended, reason: .dismissed), to: [])
        }
        let poisoned: [[Effect]] = [
            [show(2, 1)], [show(1, 1), show(2, 1)], [hide(1, 1)], [show(1, 1), hide(2, 1), ended(1), show(3, 1)],
            [show(1, 1), ended(1)], [ended(1), ended(1)], [.reply(.done(Done())), ended(1)],
        ]
        for effects in poisoned {
            var rules = StreamRules()
            rules.take(.tick, effects)
            #expect(!rules.faults.isEmpty, "\(effects.map(\.line))")
        }
        var rules = StreamRules()
        rules.take(.tick, [show(1, 1), hide(2, 1), ended(1)])
        #expect(rules.faults == [])
        rules.compare(with: [SurfaceSnapshot(surface: "s", epoch: 1, seq: 3, shown: [])], living: 1)
        #expect(rules.faults.count == 2)
    }
}

/// A core in a random world.
struct CoreRun {
    private(set) var arbiter: Arbiter
    private(set) var inputs: [TimedInput] = []
    let policies: PolicySet
    let limits: Limits
    private var world: RandomWorld
    private var now: Milliseconds = 1000
    private var epoch: UInt64 = 1
    private var random: SplitMix64

    init(seed: UInt64) {
        world = RandomWorld(seed: seed, features: RandomWorld.Features())
        policies = world.policies
        limits = world.limits
        arbiter = Arbiter(policies: policies, limits: limits)
        random = SplitMix64(seed: ~seed)
    }

    mutating func step() -> [Effect] {
        now = world.time(after: now, arbiter.nextDeadline)
        var input = world.input()
        switch input {
        case .started:
            epoch += 1
            input = .started(epoch: epoch)
        case .configured(let policies, var limits):
            limits.memory = [0, 1, 3, 5, 100][Int(random.next() % 5)]
            input = .configured(policies, limits)
        case .command, .tick, .ownerLost, .loaded, .loadFailed: break
        }
        inputs.append(TimedInput(now, input))
        var effects: [Effect] = []
        arbiter.step(input, at: now, into: &effects)
        world.learn(from: effects)
        return effects
    }

    /// The last steps, for people.
    var story: String { inputs.suffix(40).map { "  at \($0.time) \($0.input.line)" }.joined(separator: "\n") }
}
