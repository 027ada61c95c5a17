import AlertBusModel

/// The events of a screen from the state of now on: first the link, then a `show` for each alert that is displayed,
/// then what happens.
///
/// Asking for the next event says that the one before has been drawn, unless the client leaves that to the program.
public struct ScreenEvents: AsyncSequence, Sendable {
    public typealias Element = ScreenEvent
    public typealias Failure = Never

    let hub: ScreenHub
    let confirm: @Sendable (ScreenPosition) -> Void

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(hub, confirm) }

    public final class AsyncIterator: AsyncIteratorProtocol {
        private let hub: ScreenHub
        private let queue: ScreenQueue
        private let confirm: @Sendable (ScreenPosition) -> Void
        private var pending: ScreenPosition?

        init(_ hub: ScreenHub, _ confirm: @escaping @Sendable (ScreenPosition) -> Void) {
            self.hub = hub
            self.confirm = confirm
            queue = hub.follow()
        }

        deinit { hub.leave(queue) }

        public func next() async -> ScreenEvent? {
            await next(isolation: nil)
        }

        public func next(isolation actor: isolated (any Actor)?) async -> ScreenEvent? {
            if let pending { confirm(pending) }
            pending = nil
            guard let item = await queue.next() else { return nil }
            pending = item.position
            return item.event
        }
    }
}
