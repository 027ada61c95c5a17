import AlertBusModel

/// Who provides which data, and which load is with whom.
struct Providers {
    private struct Assignment {
        var load: Load
        /// Nil while nobody provides it.
        var session: Session?
        /// Somebody was asked and went away.
        var wasLost: Bool
    }

    private var byName: [String: [Session]] = [:]
    private var turn: [String: Int] = [:]
    private var assignments: [UInt64: Assignment] = [:]
    /// Loads that are with nobody.
    private var unserved: Set<UInt64> = []
    /// When the first of these is due, or earlier.
    private(set) var firstUnserved: Milliseconds = .max

    /// Somebody is at work.
    var isBusy: Bool { assignments.count > unserved.count }
    /// Sessions that have something to do.
    var busySessions: [Session] { assignments.values.compactMap(\.session) }

    mutating func add(_ session: Session, name: String) -> [Load] {
        if !session.provides.contains(name) {
            session.provides.append(name)
            byName[name, default: []].append(session)
        }
        // What waited for somebody of this name, in the order in which it was asked.
        return unserved.compactMap { assignments[$0]?.load }.filter { $0.name == name }.sorted { $0.load < $1.load }
    }

    mutating func remove(_ session: Session, name: String) {
        session.provides.removeAll { $0 == name }
        byName[name]?.removeAll { $0 === session }
        if byName[name]?.isEmpty == true {
            byName[name] = nil
            turn[name] = nil
        }
    }

    /// Takes a session out, and gives what it was asked for, so that somebody else can be asked.
    mutating func forget(_ session: Session) -> [Load] {
        for name in session.provides { remove(session, name: name) }
        let lost = assignments.values.filter { $0.session === session }.map(\.load).sorted { $0.load < $1.load }
        for load in lost { assignments[load.load]?.wasLost = true }
        return lost
    }

    /// Chooses who is asked: each in turn. Nil when nobody provides it; then it waits for somebody to come.
    mutating func assign(_ load: Load) -> Session? {
        let candidates = (byName[load.name] ?? []).filter { !$0.isGone }
        let wasLost = assignments[load.load]?.wasLost ?? false
        guard !candidates.isEmpty else {
            assignments[load.load] = Assignment(load: load, session: nil, wasLost: wasLost)
            unserved.insert(load.load)
            firstUnserved = min(firstUnserved, load.deadline)
            return nil
        }
        let place = turn[load.name, default: 0] % candidates.count
        turn[load.name] = place + 1
        assignments[load.load] = Assignment(load: load, session: candidates[place], wasLost: wasLost)
        unserved.remove(load.load)
        return candidates[place]
    }

    func isAssigned(_ load: UInt64, to session: Session) -> Bool { assignments[load]?.session === session }

    /// The load is over; whoever was asked, if anybody, can be told.
    mutating func finish(_ load: UInt64) -> Session? {
        unserved.remove(load)
        return assignments.removeValue(forKey: load)?.session
    }

    func isKnown(_ load: UInt64) -> Bool { assignments[load] != nil }

    /// Forgets all loads but these.
    mutating func keep(_ loads: Set<UInt64>) {
        assignments = assignments.filter { loads.contains($0.key) }
        unserved.formIntersection(loads)
    }

    /// Takes out the loads that are with nobody and due by a time, each with the cause, the first one due first.
    mutating func takeUnserved(by time: Milliseconds) -> [(load: Load, cause: String)] {
        guard firstUnserved <= time else { return [] }
        let due = unserved.map { assignments[$0]! }.filter { $0.load.deadline <= time }
            .sorted { ($0.load.deadline, $0.load.load) < ($1.load.deadline, $1.load.load) }
        let causes = due.map { assignment in
            let cause =
                assignment.wasLost
                ? "its provider went away and there is no other one"
                : "nobody provides it; start one, for instance with `alertbus provide \(assignment.load.name)`"
            return (assignment.load, cause)
        }
        for assignment in due { _ = finish(assignment.load.load) }
        firstUnserved = unserved.map { assignments[$0]!.load.deadline }.min() ?? .max
        return causes
    }
}
