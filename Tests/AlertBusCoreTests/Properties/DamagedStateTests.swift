import AlertBusCore
import AlertBusModel
import CoreOracle
import TestSupport
import Testing

/// Bytes that are not a state, or not quite: a fault, or a state in which nothing is wrong; never a trap.
@Suite struct DamagedStateTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a state that was cut off is refused`(_ seed: UInt64) {
        let saved = state(seed, steps: 80)
        for length in stride(from: 0, to: saved.count, by: max(1, saved.count / 200)) {
            #expect(throws: StateFault.self) { try Arbiter(saved: Array(saved.prefix(length))) }
        }
        #expect(throws: StateFault.self) { try Arbiter(saved: saved + [0]) }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a state with flipped bits is refused, or can go on`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let saved = state(seed, steps: 120)
        var accepted = 0
        for _ in 0..<400 {
            var damaged = saved
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            accepted += goesOn(damaged, seed) ? 1 : 0
        }
        #expect(accepted < 400)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a state with large numbers in it is refused, or can go on`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let saved = state(seed, steps: 120)
        for _ in 0..<200 {
            var damaged = saved
            let place = Int.random(in: 0..<damaged.count, using: &random)
            let number: [UInt8] = [
                [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
                [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
                [0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [0xFF], [0x80], [0x00],
            ][Int.random(in: 0..<6, using: &random)]
            damaged.replaceSubrange(place...place, with: number)
            _ = goesOn(damaged, seed)
        }
    }

    @Test func `bytes by chance are refused`() {
        var random = SplitMix64(seed: 1)
        for length in 0..<2000 {
            let bytes = (0..<length % 300).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(throws: StateFault.self) { try Arbiter(saved: bytes) }
            #expect(throws: StateFault.self) { try SavedConfiguration.decode(bytes) }
        }
    }

    @Test func `a newer format is refused, with a sentence that says what to do`() {
        let fault = #expect(throws: StateFault.self) { try Arbiter(saved: [2]) }
        #expect(fault?.description.contains("newer") == true)
    }

    @Test func `a configuration is read as it was written`() throws {
        for seed in 1...50 as ClosedRange<UInt64> {
            let world = RandomWorld(seed: seed, features: RandomWorld.Features())
            let (policies, limits) = try SavedConfiguration.decode(SavedConfiguration.encode(world.policies, world.limits))
            #expect(policies == world.policies)
            #expect(limits == world.limits)
        }
    }

    private func state(_ seed: UInt64, steps: Int) -> [UInt8] {
        var run = CoreRun(seed: seed)
        for _ in 0..<steps { _ = run.step() }
        return run.arbiter.save()
    }

    /// Whether the bytes are a state after all; then it must behave.
    private func goesOn(_ bytes: [UInt8], _ seed: UInt64) -> Bool {
        guard var arbiter = try? Arbiter(saved: bytes) else { return false }
        #expect(arbiter.violations() == [])
        var run = CoreRun(seed: seed &+ 1000)
        var effects: [Effect] = []
        for _ in 0..<20 {
            _ = run.step()
            let (time, input) = (run.inputs.last!.time, run.inputs.last!.input)
            effects.removeAll()
            arbiter.step(input, at: arbiter.now + time % 1000, into: &effects)
        }
        #expect(arbiter.violations() == [], "seed \(seed)")
        return true
    }
}
