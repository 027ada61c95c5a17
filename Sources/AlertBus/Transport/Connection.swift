import AlertBusModel
import Synchronization
import ZeroMQ

/// A machine on a thread of its own, with sockets and a clock.
///
/// Orders may come from any thread. Notices are handed to `deliver` on the connection's thread, in order; it must not
/// wait for anything.
final class Connection<Machine: ClientMachine>: Sendable {
    /// What the thread and its owner share.
    final class Mailbox: Sendable {
        struct Content {
            var orders: [Machine.Order] = []
            var isClosing = false
        }

        let content = Mutex(Content())
        let wakeUp: WakeUp

        init(_ wakeUp: WakeUp) { self.wakeUp = wakeUp }
    }

    struct Configuration: Sendable {
        var requests: Endpoint
        var feed: (endpoint: Endpoint, topics: [String])?
        var options: ClientOptions
    }

    private let mailbox: Mailbox

    /// - Parameter deliver: gets nil once, when the connection is closed and nothing will follow.
    /// - Throws: `socket` when the process has no threads, descriptors or sockets left.
    init(
        _ machine: Machine, _ configuration: Configuration, deliver: @escaping @Sendable (Machine.Notice?) -> Void
    ) throws(ClientError) {
        let wakeUp: WakeUp
        let context: Context
        do throws(WakeUpError) { wakeUp = try WakeUp() } catch { throw .socket(ZMQError(rawValue: error.code)) }
        do throws(ZMQError) { context = try SharedContext.result.get() } catch { throw .socket(error) }
        let mailbox = Mailbox(wakeUp)
        self.mailbox = mailbox
        let code = ClientThread.start {
            let runner = ConnectionRunner<Machine>(machine, configuration, context, mailbox, deliver)
            runner.run()
        }
        if code != 0 { throw .socket(ZMQError(rawValue: code)) }
    }

    deinit { close() }

    func order(_ order: Machine.Order) {
        let isFirst = mailbox.content.withLock { content in
            content.orders.append(order)
            return content.orders.count == 1
        }
        // Whoever put the first one has rung; the thread takes all of them at once.
        if isFirst { mailbox.wakeUp.ring() }
    }

    /// Ends after what was ordered before has been handed to the system. Returns at once; harmless twice.
    func close() {
        mailbox.content.withLock { $0.isClosing = true }
        mailbox.wakeUp.ring()
    }
}
