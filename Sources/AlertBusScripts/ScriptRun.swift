import AlertBusCore
import AlertBusModel

/// Runs a script through the core on a virtual clock that starts at 0.
public struct ScriptRun {
    private var arbiter: Arbiter
    private var now: Milliseconds = 0
    private var effects: [Effect] = []
    private var events: [ScriptEvent] = []
    /// Requests to providers that have no answer yet, oldest first.
    private var loads: [Load] = []

    /// What a screen of the script's surface is told, in order.
    /// - Throws: a fault of the script that shows only while it runs, with the place of the step.
    public static func events(of script: Script) throws(ScriptFault) -> [ScriptEvent] {
        var run = ScriptRun(policy: script.policy)
        for (index, step) in script.steps.enumerated() {
            do throws(ScriptFault) {
                try run.take(step)
            } catch {
                throw ScriptFault(place: "steps/\(index)", message: error.message)
            }
        }
        return run.events
    }

    private init(policy: Policy) { arbiter = Arbiter(policies: PolicySet(fallback: policy)) }

    private mutating func take(_ step: ScriptStep) throws(ScriptFault) {
        switch step {
        case .command(let command, let producer): try input(.command(command, from: Requester(producer: producer)))
        case .wait(let span):
            let end = now + span
            while let due = arbiter.nextDeadline, due <= end {
                now = max(now, due)
                try input(.tick)
            }
            now = end
        case .loaded(let source, let rows): try input(.loaded(load: try takeLoad(source), rows: rows))
        case .loadFailed(let source, let message):
            try input(.loadFailed(load: try takeLoad(source), message: message))
        }
    }

    private mutating func takeLoad(_ source: String) throws(ScriptFault) -> UInt64 {
        guard let index = loads.firstIndex(where: { $0.name == source }) else {
            throw ScriptFault(place: "", message: "no request to the source \"\(source)\" is open")
        }
        return loads.remove(at: index).load
    }

    private mutating func input(_ input: Input) throws(ScriptFault) {
        effects.removeAll(keepingCapacity: true)
        arbiter.step(input, at: now, into: &effects)
        for effect in effects {
            switch effect {
            case .publish(let message): note(message)
            case .load(let load): loads.append(load)
            case .unload(let load): loads.removeAll { $0.load == load }
            case .receipt, .reply: break
            }
        }
        let violations = arbiter.violations()
        if !violations.isEmpty {
            throw ScriptFault(
                place: "",
                message: "an invariant is broken, which is a fault of AlertBus, not of the script: "
                    + violations.joined(separator: "; "))
        }
    }

    private mutating func note(_ message: StreamMessage) {
        let (change, key) =
            switch message.change {
            case .show(let alert): ("show", alert.key)
            case .update(let alert): ("update", alert.key)
            case .hide(let key, _): ("hide", key)
            }
        events.append(ScriptEvent(time: now, change: change, key: key, reason: message.reason))
    }
}
