import AlertBusConfiguration
import AlertBusModel
import AlertBusWire

// When the permissions file changes while the arbiter runs.
extension Service {
    func followPermissions() {
        switch admission.refresh() {
        case nil: return
        case .faulty(let faults):
            report("The permissions have changed but cannot be used; the old ones stay in force.\n\(faults)")
        case .changed(let before):
            report("The permissions have changed and are in force.")
            for session in sessions.values { applyPermissions(to: session) }
            buckets = buckets.filter { admission.access.permissions?.client(name: $0.key) != nil }
            endObservers(who: before)
        }
    }

    private func applyPermissions(to session: Session) {
        session.client = admission.client(key: session.key)
        // What a session listens to or provides and may no more.
        let access = admission.access
        for scope in session.scopes where access.refusal(of: Request(.subscribe(scope)), by: session.client) != nil {
            session.asked.removeAll { $0 == scope }
            delivery.audience.unsubscribe(session, from: scope)
        }
        for name in session.provides where access.refusal(of: Request(.provide(name: name)), by: session.client) != nil {
            providers.remove(session, name: name)
        }
        // Whose key is not listed any more would not be let in again.
        if session.client == nil, let connection = session.connection { admission.connections.hangUp(connection) }
    }

    /// libzmq does not tell which observer has which key, so all connect again when one has lost its role.
    private func endObservers(who before: Permissions) {
        let hasLost = before.clients.contains { $0.observer && admission.client(key: $0.key)?.observer != true }
        if hasLost { admission.connections.hangUpAll(at: .feed) }
    }
}
