import AlertBusConfiguration
import AlertBusModel
import AlertBusWire

/// Decides what a peer may ask. Without a permissions file everybody who can connect may do everything.
struct Access {
    var permissions: Permissions?

    /// Nil when the request is allowed.
    /// - Parameter client: what the sender's key may do.
    func refusal(of request: Request, by client: ClientPermissions?) -> Refusal? {
        if permissions == nil { return nil }
        guard let client else {
            return Refusal(.notAllowed, "The key of this connection is no longer listed in the permissions file.")
        }
        if let claimed = request.producer, !claimed.isEmpty, claimed != client.name {
            return Refusal(
                .notAllowed,
                "producer: this connection's key belongs to \"\(client.name)\"; leave the field out, or claim that name.")
        }
        switch request.body {
        case .command(let command): return refusal(of: command, client)
        case .list(let scope, _), .sync(let scope), .subscribe(let scope):
            return need([.subscriber, .operator], scope, client)
        case .why(let surface, _): return need([.subscriber, .operator], surface, client)
        case .counters:
            return client.operates.isEmpty ? refusal([.operator], "any surface", client) : nil
        case .provide(let name): return need([.provider], name, client)
        case .ping, .drawn, .unsubscribe, .unprovide, .loaded, .loadFailed: return nil
        }
    }

    private func refusal(of command: Command, _ client: ClientPermissions) -> Refusal? {
        switch command {
        case .raise(let raise): need([.producer], raise.surface, client)
        case .update(let update): need([.producer], update.surface, client)
        case .withdraw(let surface, _, _): need([.producer], surface, client)
        case .status(let surface, _): need([.producer, .subscriber, .operator], surface, client)
        case .dismiss(let surface, _, _), .answer(let surface, _, _, _), .refresh(let surface, _, _, _):
            need([.subscriber, .operator], surface, client)
        case .clear(let scope, _), .hold(let scope), .release(let scope): need([.operator], scope, client)
        }
    }

    /// A producer may follow its own alerts; those of others are for who may see or operate their surface.
    func refusal(ofForeignStatus surface: String, by client: ClientPermissions) -> Refusal? {
        need([.subscriber, .operator], surface, client)
    }

    private func need(
        _ roles: [ClientPermissions.Role], _ surface: String, _ client: ClientPermissions
    ) -> Refusal? {
        roles.contains { client.allows($0, surface) } ? nil : refusal(roles, surface, client)
    }

    private func need(
        _ roles: [ClientPermissions.Role], _ scope: SurfaceScope, _ client: ClientPermissions
    ) -> Refusal? {
        roles.contains { client.allows($0, scope) } ? nil : refusal(roles, scope.text, client)
    }

    private func refusal(
        _ roles: [ClientPermissions.Role], _ what: String, _ client: ClientPermissions
    ) -> Refusal {
        let names = roles.map(\.rawValue).joined(separator: " or ")
        return Refusal(
            .notAllowed,
            "\"\(client.name)\" is not \(names) for \(what). Add it to the entry of this key in the permissions file.")
    }
}

/// Lets commands through at a rate, with a burst; a part of the burst is kept for urgent ones.
struct TokenBucket {
    private var tokens: Double
    private var filledAt: Milliseconds

    init(burst: Int, at now: Milliseconds) {
        tokens = Double(burst)
        filledAt = now
    }

    /// - Parameter isUrgent: it may also use the last quarter of the burst, so that the most urgent is shed last.
    /// - Returns: 0 when the command may pass, otherwise after how many milliseconds it would.
    mutating func take(rate: Int, burst: Int, isUrgent: Bool, at now: Milliseconds) -> Milliseconds {
        tokens = min(Double(burst), tokens + Double(now - filledAt) * Double(rate) / 1000)
        filledAt = now
        let reserve = isUrgent ? 0 : Double(burst) / 4
        if tokens - reserve >= 1 {
            tokens -= 1
            return 0
        }
        return Milliseconds(((1 + reserve - tokens) * 1000 / Double(rate)).rounded(.up))
    }
}
