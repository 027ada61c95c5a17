import AlertBusModel
import Synchronization

/// Events on their way to one consumer, and what that consumer has on its screen.
///
/// A consumer that is slow costs bounded memory: past the limit its backlog is replaced by the difference between
/// what it has seen and what is shown now, exactly as after a repair.
package final class ScreenQueue: Sendable {
    package struct Item: Sendable {
        package var event: ScreenEvent
        package var position: ScreenPosition?

        package init(event: ScreenEvent, position: ScreenPosition? = nil) {
            self.event = event
            self.position = position
        }
    }

    private struct State {
        var items: [Item] = []
        var head = 0
        /// What the consumer has taken so far.
        var seen: [String: [ShownAlert]] = [:]
        var waiter: CheckedContinuation<Item?, Never>?
        var isClosed = false
    }

    package static let limit = 4096

    package init() {}

    private let state = Mutex(State())

    /// Called under the lock of the hub, so that all consumers see the same order.
    package func push(_ items: [Item], link: LinkState, current: () -> [Screen]) {
        let (waiter, first) = state.withLock { state -> (CheckedContinuation<Item?, Never>?, Item?) in
            if state.isClosed { return (nil, nil) }
            state.items += items
            if state.items.count - state.head > Self.limit { Self.collapse(&state, link, current()) }
            guard state.waiter != nil, let first = Self.pop(&state) else { return (nil, nil) }
            defer { state.waiter = nil }
            return (state.waiter, first)
        }
        waiter?.resume(returning: first)
    }

    package func tryNext() -> Item? { state.withLock { Self.pop(&$0) } }

    /// Nil after the end, and when the task is cancelled. For one consumer at a time.
    func next() async -> Item? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let item = state.withLock { state -> Item?? in
                    if let item = Self.pop(&state) { return item }
                    if state.isClosed || Task.isCancelled || state.waiter != nil { return .some(nil) }
                    state.waiter = continuation
                    return nil
                }
                if let item { continuation.resume(returning: item) }
            }
        } onCancel: {
            wakeWaiter()
        }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        wakeWaiter()
    }

    private func wakeWaiter() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }

    /// The events of one step. Only the last one of a surface carries the position: before it, the position is not drawn.
    package static func items(_ events: [ScreenEvent], position: (String) -> ScreenPosition?) -> [Item] {
        var items = events.map { Item(event: $0) }
        var done: Set<String> = []
        for index in items.indices.reversed() {
            guard let surface = items[index].event.surface, done.insert(surface).inserted else { continue }
            items[index].position = position(surface)
        }
        return items
    }

    private static func pop(_ state: inout State) -> Item? {
        guard state.head < state.items.count else { return nil }
        let item = state.items[state.head]
        state.head += 1
        if state.head == state.items.count {
            state.items.removeAll(keepingCapacity: state.items.capacity <= limit)
            state.head = 0
        }
        item.event.apply(to: &state.seen)
        return item
    }

    private static func collapse(_ state: inout State, _ link: LinkState, _ screens: [Screen]) {
        state.items = [Item(event: .link(link))]
        state.head = 0
        let shown = Set(screens.map(\.surface))
        for surface in state.seen.keys.sorted() where !shown.contains(surface) {
            var events: [ScreenEvent] = []
            ScreenDifference.append(on: surface, from: state.seen[surface] ?? [], to: [], to: &events)
            state.items += events.map { Item(event: $0) }
        }
        for screen in screens {
            var events: [ScreenEvent] = []
            ScreenDifference.append(
                on: screen.surface, from: state.seen[screen.surface] ?? [], to: screen.shown, to: &events)
            let position = ScreenPosition(surface: screen.surface, epoch: screen.epoch, seq: screen.seq)
            state.items += items(events) { _ in position }
        }
    }
}

extension ScreenEvent {
    /// Does what the event says.
    package func apply(to screens: inout [String: [ShownAlert]]) {
        switch self {
        case .show(let surface, let alert, _): screens[surface, default: []].append(alert)
        case .update(let surface, let alert, _):
            guard let place = screens[surface]?.firstIndex(where: { $0.instance == alert.instance }) else { return }
            screens[surface]?[place] = alert
        case .hide(let surface, let alert, _):
            screens[surface]?.removeAll { $0.instance == alert.instance }
            if screens[surface]?.isEmpty == true { screens[surface] = nil }
        case .link: break
        }
    }
}
