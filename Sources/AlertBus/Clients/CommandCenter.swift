import AlertBusModel
import AlertBusWire
import Synchronization

/// Commands of one client that wait for their reply, and who hears it.
final class CommandCenter: Sendable {
    typealias Reply = @Sendable (Result<CommandAnswer, ClientError>) -> Void

    private struct State {
        var lastID: UInt64 = 0
        var replies: [UInt64: Reply] = [:]
        var receipts: [UInt64: @Sendable (Receipt?) -> Void] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// A number for a command, whose reply and receipts will be handed on.
    /// - Parameter receipts: gets nil when the client is closed before the alert ends.
    /// - Returns: nil when the client is closed; `reply` has been told.
    func register(receipts: (@Sendable (Receipt?) -> Void)? = nil, _ reply: @escaping Reply) -> UInt64? {
        let id = state.withLock { state -> UInt64? in
            if state.isClosed { return nil }
            state.lastID += 1
            state.replies[state.lastID] = reply
            state.receipts[state.lastID] = receipts
            return state.lastID
        }
        if id == nil {
            reply(.failure(.closed))
            receipts?(nil)
        }
        return id
    }

    func heard(_ notice: CommandNotice) {
        switch notice {
        case .answered(let id, let answer): take(id)?(.success(answer))
        case .failed(let id, let error):
            state.withLock { $0.receipts[id] = nil }
            take(id)?(.failure(error))
        }
    }

    func heard(_ receipt: Receipt, of id: UInt64) {
        let handler = state.withLock { state -> (@Sendable (Receipt?) -> Void)? in
            defer { if receipt.event == .ended { state.receipts[id] = nil } }
            return state.receipts[id]
        }
        handler?(receipt)
    }

    func close() {
        let (replies, receipts) = state.withLock { state in
            state.isClosed = true
            defer {
                state.replies = [:]
                state.receipts = [:]
            }
            return (state.replies.sorted { $0.key < $1.key }, state.receipts.sorted { $0.key < $1.key })
        }
        for (_, reply) in replies { reply(.failure(.closed)) }
        for (_, handler) in receipts { handler(nil) }
    }

    private func take(_ id: UInt64) -> Reply? { state.withLock { $0.replies.removeValue(forKey: id) } }
}
