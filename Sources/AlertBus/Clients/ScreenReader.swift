import Dispatch
import Synchronization

/// Takes events from a queue and calls a closure for each, one after the other.
final class ScreenReader: Sendable {
    private let items: ScreenQueue
    private let queue: DispatchQueue
    private let handler: @Sendable (ScreenEvent, ScreenPosition?) -> Void
    private let confirm = Mutex<(@Sendable (ScreenPosition) -> Void)?>(nil)
    // Begins as if a round were scheduled: none runs before `begin`.
    private let isScheduled = Mutex(true)

    init(_ items: ScreenQueue, _ queue: DispatchQueue, _ handler: @escaping @Sendable (ScreenEvent, ScreenPosition?) -> Void) {
        self.items = items
        self.queue = queue
        self.handler = handler
    }

    /// - Parameter confirm: is told of each event that the closure has handled.
    func begin(_ confirm: @escaping @Sendable (ScreenPosition) -> Void) {
        self.confirm.withLock { $0 = confirm }
        queue.async { self.run() }
    }

    func wake() {
        let isFirst = isScheduled.withLock { scheduled in
            defer { scheduled = true }
            return !scheduled
        }
        guard isFirst else { return }
        queue.async { self.run() }
    }

    private func run() {
        // Whoever wakes from now on schedules another round.
        isScheduled.withLock { $0 = false }
        while let item = items.tryNext() {
            handler(item.event, item.position)
            if let position = item.position { confirm.withLock { $0 }?(position) }
        }
    }
}
