import AlertBusJournal
import AlertBusModel

// The journal's answers. A failure is dealt with once everything that was on its way has been answered: only then is it
// known what the journal holds.
extension Pipeline {
    enum Answer {
        case nothing
        /// The journal takes nothing more. The first of these batches is certainly not in it and nothing of them may be said;
        /// if there are any the state has to go back.
        case failed([Sealed])
        /// The journal takes writes again.
        case healthy
        /// Somebody else leads.
        case deposed(JournalHead)
    }

    func takeAnswers(at now: Milliseconds) -> Answer {
        guard let journal else { return .nothing }
        var isHealed = false
        for completion in journal.takeCompletions() {
            switch completion {
            case .append(let token, let outcome):
                if let leader = answered(token, outcome) { return .deposed(leader) }
            case .settled(let token, let result):
                isAsking = false
                if let leader = settled(token, result) { return .deposed(leader) }
            case .probe(_, .success(let found)):
                isAsking = false
                if found.epoch > head.epoch { return .deposed(found) }
                isHealed = true
                head = found
                batch = JournalBatch(first: head.position)
            case .probe(_, .failure(let error)):
                isAsking = false
                fault = error
            case .housekeeping(let error): stop(error)
            case .snapshot(_, let result):
                saving.stored(result)
                // The store has stopped; whoever sends the next command should not be the one to find out.
                if case .failure(let error) = result, error.kind != .invalid { stop(error) }
            case .epoch: break
            }
        }
        if isHealed {
            fault = nil
            return .healthy
        }
        return !isFailed ? .nothing : afterFailure(at: now)
    }

    /// - Returns: the head of whoever leads, if somebody else does.
    private func answered(_ token: JournalToken, _ outcome: AppendOutcome) -> JournalHead? {
        guard let place = waiting.firstIndex(where: { $0.token == token }) else { return nil }
        switch outcome {
        case .committed: committed(place)
        case .failed(let error):
            waiting[place].state = .lost
            stop(error)
        case .unknown(let error):
            waiting[place].state = .unknown
            stop(error)
        case .conflict(let found):
            if found.epoch > head.epoch { return found }
            // Behind a failed batch the next ones conflict, because it is missing: the same failure, not another leader.
            waiting[place].state = .lost
            stop(JournalError(.invalid, detail: "a batch for \(waiting[place].expected) met \(found)"))
        }
        return nil
    }

    private func settled(_ token: JournalToken, _ result: Result<Settlement, JournalError>) -> JournalHead? {
        guard let place = waiting.firstIndex(where: { $0.token == token }) else { return nil }
        if case .success = result { nextQuestion = 0 }
        switch result {
        case .success(.committed): committed(place)
        case .success(.absent): waiting[place].state = .lost
        // One that was to follow an absent one conflicts in the same epoch; it is as absent.
        case .success(.conflict(let found)) where found.epoch <= head.epoch: waiting[place].state = .lost
        case .success(.conflict(let found)): return found
        case .failure(let error): fault = error
        }
        return nil
    }

    private func committed(_ place: Int) {
        waiting[place].state = .committed
        if let journal { saving.committed(waiting[place].token, journal) }
    }

    /// The first failure is the one that people are told.
    private func stop(_ error: JournalError) {
        guard !isFailed else { return }
        fault = error
        nextQuestion = 0
        patience = Self.shortestPatience
        isAsking = false
        isFailureTold = false
        saving.forget()
    }

    private func afterFailure(at now: Milliseconds) -> Answer {
        if waiting.contains(where: { $0.state == .submitted }) { return .nothing }
        if let doubtful = waiting.first(where: { $0.state == .unknown }) {
            // From the oldest on: what follows one that is missing is missing too.
            if mayAsk(at: now) {
                journal?.settle(doubtful.token, expected: doubtful.expected, batches: [doubtful.batch])
            }
            return .nothing
        }
        if isFailureTold { return .nothing }
        isFailureTold = true
        // What was written after a lost batch may tell of it, although it had nothing to journal itself.
        guard let first = waiting.firstIndex(where: { $0.state == .lost }) else { return .failed([]) }
        let lost = Array(waiting[first...])
        waiting.removeSubrange(first...)
        return .failed(lost)
    }

    /// While the journal takes nothing, asks it whether it does again: at once, and then ever less often, down to once a second.
    func probeIfDue(at now: Milliseconds) {
        guard fault != nil, !isInDoubt, mayAsk(at: now) else { return }
        lastToken += 1
        journal?.probe(JournalToken(lastToken))
    }

    private func mayAsk(at now: Milliseconds) -> Bool {
        guard !isAsking, now >= nextQuestion else { return false }
        isAsking = true
        nextQuestion = now + patience
        patience = min(2 * patience, 1000)
        return true
    }

    /// The journal takes writes, but the state could not be brought to where it stands.
    func fail(_ error: JournalError) { stop(error) }

    var nextDue: Milliseconds {
        !isFailed || isAsking || waiting.contains { $0.state == .submitted } ? .max : nextQuestion
    }
}
