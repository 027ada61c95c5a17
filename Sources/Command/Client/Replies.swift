import AlertBusModel
import AlertBusWire

/// Prints what the arbiter replied to a command.
enum Replies {
    /// Asks, prints, and tells how the command ends.
    static func ask(
        _ body: Request.Body, producer: String? = nil, _ arguments: Arguments
    ) throws(CommandFailure) -> ExitCode {
        let client = try RequestClient(arguments)
        let answers = try client.ask(body, producer: producer)
        guard let answer = answers.first else { preconditionFailure("a reply has at least one part") }
        if arguments.wantsJSON { StandardOutput.line(String(decoding: answer.json, as: UTF8.self)) }
        switch answer.message {
        case .reply(_, let reply, let watchers): return try report(reply, watchers, arguments)
        case .explanation(_, let explanation):
            if !arguments.wantsJSON { StandardOutput.write(text(explanation)) }
            return .done
        case .event, .stream, .snapshot, .alerts, .subscribers, .counters, .beat, .pong, .load, .unload, .unknown:
            throw .refused("the arbiter gave a reply that does not fit the request; is it of another version?")
        }
    }

    private static func report(
        _ reply: Reply, _ watchers: Int?, _ arguments: Arguments
    ) throws(CommandFailure) -> ExitCode {
        switch reply {
        case .refused(let refusal): throw failure(refusal)
        case .accepted(let accepted):
            if !arguments.wantsJSON { StandardOutput.line(text(accepted)) }
            note(watchers: watchers, accepted.surface)
        case .done(let done): if !arguments.wantsJSON { StandardOutput.line(text(done)) }
        case .event(let receipt): if !arguments.wantsJSON { StandardOutput.line(text(receipt)) }
        }
        return .done
    }

    /// An alert that nobody sees is worth a word.
    static func note(watchers: Int?, _ surface: String) {
        if watchers == 0 { StandardError.line("note: nobody is watching \(Quoting.safe(surface)) at the moment") }
    }

    static func failure(_ refusal: Refusal) -> CommandFailure {
        var text = "refused: \(refusal.reason.rawValue): \(Quoting.safe(refusal.message))"
        if !refusal.instances.isEmpty {
            text += " (instances \(refusal.instances.map(String.init).joined(separator: ", ")))"
        }
        if refusal.retryAfter > 0 { text += "; try again after \(TimeText.text(refusal.retryAfter))" }
        return .refused(text)
    }

    static func text(_ accepted: Accepted) -> String {
        let place = accepted.position > 0 ? " at position \(accepted.position)" : ""
        return "accepted: \(Quoting.safe(accepted.key)), instance \(accepted.instance), revision \(accepted.revision), "
            + accepted.state.rawValue + place
    }

    private static func text(_ done: Done) -> String {
        if done.instance > 0 { return "done: instance \(done.instance), revision \(done.revision)" }
        return "done: \(done.count)"
    }

    static func text(_ receipt: Receipt) -> String {
        var text = "\(receipt.event.rawValue): \(Quoting.safe(receipt.key)), instance \(receipt.instance), "
        text += receipt.reason.rawValue
        if !receipt.detail.isEmpty { text += ": \(Quoting.safe(receipt.detail))" }
        return text
    }

    private static func text(_ explanation: Explanation) -> String {
        var lines = [
            "\(Quoting.safe(explanation.key)) (instance \(explanation.instance)) on "
                + "\(Quoting.safe(explanation.surface)): \(explanation.state.rawValue)",
            "  \(Quoting.safe(explanation.message))",
            "  rule: \(Quoting.safe(explanation.rule))",
        ]
        if explanation.above > 0 {
            lines.append("  above: \(Quoting.safe(explanation.aboveKey)) (instance \(explanation.above))")
        }
        if let until = explanation.until {
            lines.append("  until: in \(TimeText.rough(max(0, until - SystemClock.wall()))) if nothing else happens")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
