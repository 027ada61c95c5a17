import AlertBusModel

extension Effect {
    /// The same effect without the prose: sentences may be worded as one likes, everything else must be equal.
    package var comparable: Effect {
        switch self {
        case .receipt(var receipt, let sessions):
            receipt.detail = ""
            return .receipt(receipt, to: sessions)
        case .reply(.refused(let refusal)):
            return .reply(.refused(Refusal(refusal.reason, "", instances: refusal.instances)))
        case .reply(.event(var receipt)):
            receipt.detail = ""
            return .reply(.event(receipt))
        case .publish(var message):
            message.detail = ""
            return .publish(message)
        case .reply, .load, .unload:
            return self
        }
    }

    /// One line in the notation of the dialogue tests.
    package var line: String {
        switch self {
        case .publish(let message):
            let head = "\(message.surface)#\(message.seq)"
            switch message.change {
            case .show(let alert): return "\(head) show \(alert.key) \(message.reason.rawValue)"
            case .update(let alert): return "\(head) update \(alert.key) r\(alert.revision)"
            case .hide(let key, _): return "\(head) hide \(key) \(message.reason.rawValue)"
            }
        case .receipt(let receipt, let sessions):
            let to = sessions.map(String.init).joined(separator: ",")
            return "to [\(to)] \(receipt.key) \(receipt.event.rawValue) \(receipt.reason.rawValue)"
        case .reply(.accepted(let accepted)):
            let position = accepted.position == 0 ? "" : " \(accepted.position)"
            return "accepted \(accepted.instance) r\(accepted.revision) \(accepted.state.rawValue)\(position)"
        case .reply(.refused(let refusal)):
            return "refused \(refusal.reason.rawValue)" + (refusal.instances.isEmpty ? "" : " \(refusal.instances)")
        case .reply(.done(let done)): return "done \(done.instance) r\(done.revision) \(done.count)"
        case .reply(.event(let receipt)):
            return "event \(receipt.key) \(receipt.event.rawValue) \(receipt.reason.rawValue)"
        case .load(let load): return "load \(load.load) \(load.name) until \(load.deadline)"
        case .unload(let load): return "unload \(load)"
        }
    }
}
