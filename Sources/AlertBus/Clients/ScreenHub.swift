import AlertBusModel
import Synchronization

/// The state of the screens as the program sees it, and everybody who follows it.
final class ScreenHub: Sendable {
    private struct State {
        var shown: [String: [ShownAlert]] = [:]
        var positions: [String: ScreenPosition] = [:]
        /// The newest position per surface that a consumer has handled.
        var handled: [String: ScreenPosition] = [:]
        var link = LinkState.reconnecting
        var repairs = RepairCounts()
        var error: ClientError?
        var queues: [ScreenQueue] = []
        var isClosed = false

        var screens: [Screen] {
            positions.values.sorted { $0.surface < $1.surface }.map {
                Screen(surface: $0.surface, epoch: $0.epoch, seq: $0.seq, shown: shown[$0.surface] ?? [])
            }
        }
    }

    private let state = Mutex(State())

    var screens: [Screen] { state.withLock { $0.screens } }
    func shown(on surface: String) -> [ShownAlert] { state.withLock { $0.shown[surface] ?? [] } }
    var link: LinkState { state.withLock { $0.link } }
    var repairs: RepairCounts { state.withLock { $0.repairs } }
    var error: ClientError? { state.withLock { $0.error } }

    func heard(_ notice: ScreenNotice, _ center: CommandCenter?) {
        switch notice {
        case .changed(let events, let positions): changed(events, positions)
        case .link(let link): set(link)
        case .repairs(let repairs): state.withLock { $0.repairs = repairs }
        case .command(let notice): center?.heard(notice)
        case .failed(let error): state.withLock { $0.error = error }
        }
    }

    /// All events of one step at once: nobody sees a state between two of them.
    private func changed(_ events: [ScreenEvent], _ positions: [ScreenPosition]) {
        state.withLock { state in
            for position in positions { state.positions[position.surface] = position.epoch == 0 ? nil : position }
            for event in events { event.apply(to: &state.shown) }
            Self.push(ScreenQueue.items(events) { state.positions[$0] }, &state)
        }
    }

    private func set(_ link: LinkState) {
        state.withLock { state in
            state.link = link
            if link == .connected { state.error = nil }
            Self.push([.init(event: .link(link))], &state)
        }
    }

    func handled(_ position: ScreenPosition) { state.withLock { $0.handled[position.surface] = position } }
    func lastHandled(on surface: String) -> ScreenPosition? { state.withLock { $0.handled[surface] } }

    /// A new consumer begins with the state of now.
    func follow() -> ScreenQueue {
        let queue = ScreenQueue()
        state.withLock { state in
            var items = [ScreenQueue.Item(event: .link(state.link))]
            for screen in state.screens {
                let position = ScreenPosition(surface: screen.surface, epoch: screen.epoch, seq: screen.seq)
                items += ScreenQueue.items(screen.shown.map { .show(surface: screen.surface, $0, nil) }) { _ in position }
            }
            let screens = state.screens
            queue.push(items, link: state.link) { screens }
            if state.isClosed { queue.close() } else { state.queues.append(queue) }
        }
        return queue
    }

    func leave(_ queue: ScreenQueue) { state.withLock { $0.queues.removeAll { $0 === queue } } }

    func close() {
        let queues = state.withLock { state in
            state.isClosed = true
            defer { state.queues = [] }
            return state.queues
        }
        for queue in queues { queue.close() }
    }

    private static func push(_ items: [ScreenQueue.Item], _ state: inout State) {
        if items.isEmpty { return }
        let copy = state
        for queue in copy.queues { queue.push(items, link: copy.link) { copy.screens } }
    }
}
