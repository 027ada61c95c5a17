import AlertBusModel

/// Who provides which data, and which load is with whom.
struct Providers {
    private struct Assignment {
        var load: Load
        var session: Session?
    }

    private var byName: [String: [Session]] = [:]
    private var turn: [String: Int] = [:]
    private var assignments: [UInt64: Assignment] = [:]

    /// Sessions that have something to do.
    var busySessions: [Session] { assignments.values.compactMap(\.session) }

    mutating func add(_ session: Session, name: String) -> [Load] {
        if !session.provides.contains(name) {
            session.provides.append(name)
            byName[name, default: []].append(session)
        }
        // What waited for somebody of this name, in the order in which it was asked.
        return assignments.values.filter { $0.session == nil && $0.load.name == name }.map(\.load)
            .sorted { $0.load < $1.load }
    }

    mutating func remove(_ session: Session, name: String) {
        session.provides.removeAll { $0 == name }
        byName[name]?.removeAll { $0 === session }
        if byName[name]?.isEmpty == true { byName[name] = nil }
    }

    /// Takes a session out, and gives what it was asked for, so that somebody else can be asked.
    mutating func forget(_ session: Session) -> [Load] {
        for name in session.provides { remove(session, name: name) }
        return assignments.values.filter { $0.session === session }.map(\.load).sorted { $0.load < $1.load }
    }

    /// Chooses who is asked: each in turn. Nil when nobody provides it; then it waits for somebody to come.
    mutating func assign(_ load: Load) -> Session? {
        let candidates = (byName[load.name] ?? []).filter { !$0.isGone }
        guard !candidates.isEmpty else {
            assignments[load.load] = Assignment(load: load, session: nil)
            return nil
        }
        let place = turn[load.name, default: 0] % candidates.count
        turn[load.name] = place + 1
        assignments[load.load] = Assignment(load: load, session: candidates[place])
        return candidates[place]
    }

    func isAssigned(_ load: UInt64, to session: Session) -> Bool { assignments[load]?.session === session }

    /// The load is over; whoever was asked, if anybody, can be told.
    mutating func finish(_ load: UInt64) -> Session? { assignments.removeValue(forKey: load)?.session }

    func isKnown(_ load: UInt64) -> Bool { assignments[load] != nil }

    /// Forgets all loads but these.
    mutating func keep(_ loads: Set<UInt64>) { assignments = assignments.filter { loads.contains($0.key) } }
}
