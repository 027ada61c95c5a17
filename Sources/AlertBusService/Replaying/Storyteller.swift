import AlertBusModel

/// Turns the steps of a replay into lines of a story.
package enum Storyteller {
    /// What a step did, in order; the acceptance of an alert before what happened to it at once.
    package static func lines(of step: JournalReplay.Step) -> [StoryLine] {
        let cause = cause(of: step.cause)
        var lines: [StoryLine] = []
        func line(_ surface: String, _ event: String) -> StoryLine {
            StoryLine(time: step.time, position: step.position, surface: surface, event: event, cause: cause)
        }
        switch step.cause {
        case .started(let epoch):
            var start = line(SurfaceScope.all.text, "started")
            start.detail = "epoch \(epoch)"
            lines.append(start)
        case .configured: lines.append(line(SurfaceScope.all.text, "configured"))
        default: break
        }
        var reply: StoryLine?
        for effect in step.effects {
            switch effect {
            case .receipt(let receipt, _):
                var next = line(receipt.surface, receipt.event.rawValue)
                next.tell(receipt)
                lines.append(next)
            case .reply(let said):
                if case .command(let command, _)? = step.cause {
                    reply = told(said, command, line, newestBefore: step.newestBefore)
                }
            case .publish, .load, .unload: break
            }
        }
        guard let reply else { return lines }
        // What the passing of time brought comes before the command; what is about its alert comes after its acceptance.
        let isFirst = reply.event == "accepted"
        let place = isFirst ? lines.firstIndex { $0.instance == reply.instance } ?? lines.count : lines.count
        lines.insert(reply, at: place)
        return lines
    }

    private static func told(
        _ reply: Reply, _ command: Command, _ line: (String, String) -> StoryLine, newestBefore: UInt64
    ) -> StoryLine? {
        let subject = command.subject
        switch reply {
        case .accepted(let accepted):
            var next = line(accepted.surface, accepted.instance > newestBefore ? "accepted" : "repeated")
            next.key = accepted.key
            next.instance = accepted.instance
            next.revision = accepted.revision
            next.detail = accepted.position > 0 ? "\(accepted.state.rawValue), place \(accepted.position)" : accepted.state.rawValue
            return next
        case .refused(let refusal):
            var next = line(subject.surface, "refused")
            next.key = subject.key
            next.instance = subject.instance
            next.reason = refusal.reason
            next.detail = refusal.message
            return next
        case .done(let done):
            // Commands that end an alert are told by its end.
            guard let event = command.doneEvent else { return nil }
            var next = line(subject.surface, event)
            next.key = subject.key
            next.instance = done.instance
            next.revision = done.revision
            if done.instance == 0 { next.detail = "\(done.count)" }
            return next
        case .event: return nil
        }
    }

    private static func cause(of input: Input?) -> StoryLine.Cause {
        switch input {
        case nil, .tick: StoryLine.Cause(op: "time")
        case .started: StoryLine.Cause(op: "start")
        case .configured: StoryLine.Cause(op: "configuration")
        case .ownerLost(let session): StoryLine.Cause(op: "owner_lost", session: session)
        case .loaded: StoryLine.Cause(op: "loaded")
        case .loadFailed: StoryLine.Cause(op: "load_failed")
        case .command(let command, let requester):
            StoryLine.Cause(op: command.op, producer: requester.producer, session: requester.session)
        }
    }
}

extension StoryLine {
    fileprivate mutating func tell(_ receipt: Receipt) {
        key = receipt.key
        instance = receipt.instance
        revision = receipt.revision
        reason = receipt.reason
        answer = receipt.answer
        detail = receipt.detail
    }
}

extension Command {
    /// The word on the wire.
    var op: String {
        switch self {
        case .raise: "raise"
        case .update: "update"
        case .withdraw: "withdraw"
        case .dismiss: "dismiss"
        case .answer: "answer"
        case .clear: "clear"
        case .hold: "hold"
        case .release: "release"
        case .status: "status"
        case .refresh: "refresh"
        }
    }

    fileprivate var doneEvent: String? {
        switch self {
        case .update: "updated"
        case .clear: "cleared"
        case .hold: "held"
        case .release: "released"
        case .refresh: "refreshing"
        case .raise, .withdraw, .dismiss, .answer, .status: nil
        }
    }

    fileprivate var subject: (surface: String, key: String, instance: UInt64) {
        switch self {
        case .raise(let raise): (raise.surface, raise.key, 0)
        case .update(let update): (update.surface, update.key, 0)
        case .withdraw(let surface, let key, _): (surface, key, 0)
        case .dismiss(let surface, let target, _), .answer(let surface, let target, _, _), .status(let surface, let target),
            .refresh(let surface, let target, _, _):
            switch target {
            case .key(let key): (surface, key, 0)
            case .instance(let instance): (surface, "", instance)
            case .top: (surface, "", 0)
            }
        case .clear(let scope, _), .hold(let scope), .release(let scope): (scope.text, "", 0)
        }
    }
}
