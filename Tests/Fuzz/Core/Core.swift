import AlertBusCore
import AlertBusModel

/// Bytes become rules and a run of inputs; after each one every invariant is looked at, also those that only the outside sees.
@_cdecl("LLVMFuzzerTestOneInput")
public func coreOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var inputs = Inputs(ByteSource(UnsafeRawBufferPointer(start: data, count: count)))
    let policies = inputs.policies()
    var arbiter = Arbiter(policies: policies, limits: inputs.limits(), epoch: 1)
    var watcher = Watcher()
    var now: Milliseconds = 1000
    var effects: [Effect] = []
    for _ in 0..<200 where !inputs.source.isEmpty {
        let input = inputs.input()
        now += inputs.pause()
        effects.removeAll()
        arbiter.step(input, at: now, into: &effects)
        if case .started = input { watcher.restarted() }
        watcher.saw(effects)
        for effect in effects {
            if case .load(let load) = effect { inputs.loads.append(load.load) }
            if case .reply(.accepted(let accepted)) = effect { inputs.lastInstance = max(inputs.lastInstance, accepted.instance) }
        }
        let violations = arbiter.violations()
        precondition(violations.isEmpty, "after \(input): \(violations)")
        watcher.compare(arbiter.snapshots(in: .all))
    }
    // What is saved and read again is the same state.
    let saved = arbiter.save()
    do throws(StateFault) {
        let again = try Arbiter(saved: saved)
        precondition(again.save() == saved, "the saved state changed")
    } catch {
        preconditionFailure("the saved state cannot be read: \(error)")
    }
    return 0
}

/// Sees what a screen and a producer would, and compares.
struct Watcher {
    private var positions: [String: UInt64] = [:]
    private var shown: [String: Set<UInt64>] = [:]
    private var ended: Set<UInt64> = []

    /// A new epoch: streams begin again with what is on the screens.
    mutating func restarted() {
        positions = [:]
    }

    mutating func saw(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .publish(let message): saw(message)
            case .receipt(let receipt, _) where receipt.event == .ended:
                precondition(ended.insert(receipt.instance).inserted, "instance \(receipt.instance) ended twice")
            case .receipt, .reply, .load, .unload: break
            }
        }
    }

    private mutating func saw(_ message: StreamMessage) {
        precondition(message.seq == positions[message.surface, default: 0] + 1, "a hole in the stream of \(message.surface)")
        positions[message.surface] = message.seq
        switch message.change {
        case .show(let alert):
            precondition(!ended.contains(alert.instance), "instance \(alert.instance) is shown after its end")
            precondition(shown[message.surface, default: []].insert(alert.instance).inserted, "shown twice")
        case .update(let alert): precondition(shown[message.surface, default: []].contains(alert.instance), "updated but not shown")
        case .hide(_, let instance):
            precondition(shown[message.surface, default: []].remove(instance) != nil, "hidden but not shown")
        }
    }

    /// A snapshot has to be what the stream has told.
    mutating func compare(_ snapshots: [SurfaceSnapshot]) {
        for snapshot in snapshots {
            precondition(snapshot.seq == positions[snapshot.surface, default: 0], "a snapshot at another position")
            precondition(Set(snapshot.shown.map(\.instance)) == shown[snapshot.surface, default: []], "another screen")
        }
    }
}
