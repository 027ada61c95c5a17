import AlertBusModel
import Synchronization

/// The rungs of one alert so far, and whoever waits for the next ones.
final class ReceiptLog: Sendable {
    private struct State {
        var receipts: [Receipt] = []
        var isFinished = false
        var followers: [Int: AsyncStream<Receipt>.Continuation] = [:]
        var lastFollower = 0
    }

    private let state = Mutex(State())

    /// Rungs that are kept for those who ask later; an alert that is covered and resumed for days has many.
    private static let limit = 1000

    func append(_ receipt: Receipt) {
        let followers = state.withLock { state in
            if state.receipts.count >= Self.limit { state.receipts.removeFirst(Self.limit / 2) }
            state.receipts.append(receipt)
            for follower in state.followers.values { follower.yield(receipt) }
            guard receipt.event == .ended else { return [AsyncStream<Receipt>.Continuation]() }
            return Self.finish(&state)
        }
        for follower in followers { follower.finish() }
    }

    /// Nothing will follow, though the alert has not ended.
    func close() {
        for follower in state.withLock({ Self.finish(&$0) }) { follower.finish() }
    }

    /// All rungs from the first one on, and the end after the last one.
    func follow() -> AsyncStream<Receipt> {
        let (stream, continuation) = AsyncStream.makeStream(of: Receipt.self)
        let number = state.withLock { state -> Int? in
            for receipt in state.receipts { continuation.yield(receipt) }
            if state.isFinished { return nil }
            state.lastFollower += 1
            state.followers[state.lastFollower] = continuation
            return state.lastFollower
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.followers[number] = nil } }
        return stream
    }

    private static func finish(_ state: inout State) -> [AsyncStream<Receipt>.Continuation] {
        state.isFinished = true
        defer { state.followers = [:] }
        return Array(state.followers.values)
    }
}
