import AlertBusModel
import AlertBusWire
import Synchronization

/// The tasks of a provider: a bounded number of them, and the requests that wait for one to end.
final class ProviderWork: Sendable {
    private struct State {
        var tasks: [UInt64: (turn: UInt64, task: Task<Void, Never>)] = [:]
        var turn: UInt64 = 0
        /// Also tasks that were cancelled and have not ended yet.
        var running = 0
        var waiting: [LoadRequest] = []
        var answer: (@Sendable (ProviderMachine.Order) -> Void)?
        /// Answers that were ready before the connection was known.
        var early: [ProviderMachine.Order] = []
    }

    private let state = Mutex(State())
    private let concurrency: Int
    private let handler: Provider.Handler

    init(concurrency: Int, _ handler: @escaping Provider.Handler) {
        self.concurrency = concurrency
        self.handler = handler
    }

    func answer(_ answer: @escaping @Sendable (ProviderMachine.Order) -> Void) {
        let early = state.withLock { state in
            state.answer = answer
            defer { state.early = [] }
            return state.early
        }
        for order in early { answer(order) }
    }

    func begin(_ request: LoadRequest) {
        state.withLock { state in
            state.waiting.append(request)
            startNext(&state)
        }
    }

    func drop(_ load: UInt64) {
        state.withLock { state in
            state.waiting.removeAll { $0.load == load }
            state.tasks.removeValue(forKey: load)?.task.cancel()
        }
    }

    func dropAll() {
        state.withLock { state in
            state.waiting = []
            for (_, task) in state.tasks.values { task.cancel() }
            state.tasks = [:]
        }
    }

    private func startNext(_ state: inout State) {
        guard state.running < concurrency, !state.waiting.isEmpty else { return }
        let request = state.waiting.removeFirst()
        state.running += 1
        state.turn += 1
        let turn = state.turn
        let handler = handler
        let task = Task { [weak self] in
            let order: ProviderMachine.Order
            do {
                // A plain nil would be JSON's null.
                let value: JSONValue? = request.request.isEmpty ? .none : try JSONValue(request.request)
                order = .loaded(load: request.load, rows: try Self.rows(try await handler(value)))
            } catch {
                order = .failed(load: request.load, message: Self.sentence(error))
            }
            self?.finished(request.load, turn, order)
        }
        state.tasks[request.load] = (turn, task)
    }

    private func finished(_ load: UInt64, _ turn: UInt64, _ order: ProviderMachine.Order) {
        let answer = state.withLock { state -> (@Sendable (ProviderMachine.Order) -> Void)? in
            state.running -= 1
            startNext(&state)
            // The number may have been given out again after it was dropped.
            guard state.tasks[load]?.turn == turn else { return nil }
            state.tasks[load] = nil
            if state.answer == nil { state.early.append(order) }
            return state.answer
        }
        answer?(order)
    }

    private static func rows(_ values: [JSONValue]) throws -> [Row] {
        try values.enumerated().map { index, value in
            switch value["id"] {
            case .number?, .string?: return Row(id: value["id"]!.bytes, json: value.bytes)
            default: throw RowFault(index: index)
            }
        }
    }

    /// The arbiter takes a sentence of 1024 bytes.
    private static func sentence(_ error: any Error) -> String {
        var text = "\(error)"
        while text.utf8.count > 1000 { text.removeLast(max(1, (text.utf8.count - 1000) / 4)) }
        return text.isEmpty ? "the provider failed without saying why" : text
    }

    private struct RowFault: Error, CustomStringConvertible {
        let index: Int
        var description: String { "row \(index) of the provider is no object with a number or a string as id" }
    }
}
