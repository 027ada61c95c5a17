import AlertBusModel
import AlertBusWire
import ZeroMQ

/// The loop of a connection: it waits for the socket, the clock and the program, and does what the machine says.
final class ConnectionRunner<Machine: ClientMachine> {
    private var machine: Machine
    private let configuration: Connection<Machine>.Configuration
    private let context: Context
    private let mailbox: Connection<Machine>.Mailbox
    private let deliver: @Sendable (Machine.Notice?) -> Void
    private let poller = Poller()
    private let decoder = ServerMessageDecoder()
    private var writer = MessageWriter()
    private var message = Message()
    private var dealer: Link<DealerSocket>?
    private var feed: Link<SubscriberSocket>?
    /// What the socket could not take yet, oldest first.
    private var unsent: [[UInt8]] = []
    private var reopenAt: Milliseconds = 0
    private var lastChange: Milliseconds = 0
    private var attempts = 0
    /// Handshakes in a row that the other side ended without saying why.
    private var endedHandshakes = 0

    /// Messages taken before the machine's clock and orders have their turn.
    private static var batchLimit: Int { 1000 }
    /// Without a connection for so long the socket is replaced: libzmq does not try again after every kind of refusal.
    private static var patience: Milliseconds { 30_000 }

    init(
        _ machine: Machine, _ configuration: Connection<Machine>.Configuration, _ context: Context,
        _ mailbox: Connection<Machine>.Mailbox, _ deliver: @escaping @Sendable (Machine.Notice?) -> Void
    ) {
        self.machine = machine
        self.configuration = configuration
        self.context = context
        self.mailbox = mailbox
        self.deliver = deliver
    }

    func run() {
        let bell = poller.add(descriptor: mailbox.wakeUp.descriptor)
        lastChange = ClientThread.now()
        var hasMore = false
        while true {
            do throws(ZMQError) {
                _ = try poller.wait(milliseconds: hasMore ? 0 : waitingTime())
                if poller.isReadable(bell) { mailbox.wakeUp.drain() }
                // What a connection delivered comes before the news of its end, and both before the clock: after a
                // pause of this process the messages that wait are no silence.
                hasMore = try takeMessages()
                try takeNews()
                if ClientThread.now() >= reopenAt && dealer == nil { try open() }
            } catch {
                failed(error)
            }
            let now = ClientThread.now()
            if now >= machine.nextDeadline { machine.timePassed(to: now) }
            let isClosing = takeOrders(at: now)
            act(at: now)
            if isClosing { break }
        }
        dealer?.close(poller)
        feed?.close(poller)
        deliver(nil)
    }

    private func waitingTime() -> Int {
        let now = ClientThread.now()
        var next = machine.nextDeadline
        if dealer == nil { next = min(next, reopenAt) }
        if let dealer, !dealer.isConnected { next = min(next, lastChange + Self.patience) }
        return Int(max(0, min(next - now, 60_000)))
    }

    // MARK: Sockets

    private func open() throws(ZMQError) {
        let options = configuration.options
        // libzmq adds little jitter of its own; without it all clients of an arbiter come back in the same moment.
        let base = max(1, Int(options.reconnect.milliseconds))
        let jittered = Int.random(in: (base * 3 / 4)...(base * 5 / 4))
        let longest = max(jittered, Int(options.longestReconnect.milliseconds))
        dealer = try Link(
            try DealerSocket(context), to: configuration.requests, security: options.security, reconnect: jittered,
            longest: longest, poller: poller)
        lastChange = ClientThread.now()
        guard let wanted = configuration.feed, feed == nil else { return }
        let subscriber = try SubscriberSocket(context)
        for topic in wanted.topics { try subscriber.subscribe(topic) }
        feed = try Link(
            subscriber, to: wanted.endpoint, security: options.security, reconnect: jittered, longest: longest,
            poller: poller)
    }

    /// Another socket after a while; each time in a row later.
    private func reopen(at now: Milliseconds) {
        dealer?.close(poller)
        dealer = nil
        feed?.close(poller)
        feed = nil
        unsent = []
        let options = configuration.options
        let base = max(1, options.reconnect.milliseconds)
        let wait = min(base << min(attempts, 6), max(base, options.longestReconnect.milliseconds))
        // The first attempt comes at once: silence has lasted long enough.
        reopenAt = attempts == 0 ? now : now + Milliseconds.random(in: (wait / 2)...wait)
        attempts += 1
        lastChange = now
    }

    private func failed(_ error: ZMQError) {
        let now = ClientThread.now()
        machine.disconnected(at: now)
        attempts = max(attempts, 1)
        reopen(at: now)
        machine.turnedAway(.socket(error), at: now)
    }

    // MARK: Inputs

    /// - Returns: whether there may be more.
    private func takeMessages() throws(ZMQError) -> Bool {
        var isFull = false
        if let socket = dealer?.socket {
            var count = 0
            while count < Self.batchLimit, try socket.tryReceive(into: &message) {
                count += 1
                guard let decoded = decode() else { continue }
                machine.received(decoded, at: ClientThread.now())
                act(at: ClientThread.now())
                // The machine may have closed the socket.
                if dealer == nil { return false }
            }
            isFull = count == Self.batchLimit
        }
        if let socket = feed?.socket {
            var count = 0
            while count < Self.batchLimit, try socket.tryReceive(into: &message) {
                count += 1
                // The first frame is the topic.
                guard message.more, try socket.tryReceive(into: &message) else { continue }
                guard let decoded = decode() else { continue }
                machine.receivedFromFeed(decoded, at: ClientThread.now())
            }
            isFull = isFull || count == Self.batchLimit
        }
        return isFull
    }

    /// A message that cannot be read is left out; where it belonged to a stream, its number is missed.
    private func decode() -> ServerMessage? {
        message.withUnsafeBytes { bytes in try? decoder.decode(bytes) }
    }

    private func takeNews() throws(ZMQError) {
        for news in try dealer?.takeNews() ?? [] {
            let now = ClientThread.now()
            switch news {
            case .connected:
                attempts = 0
                endedHandshakes = 0
                unsent = []
                machine.connected(at: now)
            case .disconnected:
                unsent = []
                lastChange = now
                machine.disconnected(at: now)
            case .turnedAway(let detail): return turnedAway(detail, at: now)
            case .handshakeEnded:
                endedHandshakes += 1
                let hasKeys = configuration.options.security != nil
                if let detail = ServerGreeting.disagreement(configuration.requests, hasKeys: hasKeys) {
                    return turnedAway(detail, at: ClientThread.now())
                }
                if hasKeys && endedHandshakes == 2 {
                    return turnedAway("it ends every handshake, as for a key that does not fit", at: now)
                }
            // Without keys it may be a relay that has nobody behind it, which is worth waiting for.
            }
            act(at: now)
        }
        let feedNews = try feed?.takeNews() ?? []
        if feedNews.contains(.connected) { machine.feedConnected(at: ClientThread.now()) }
        let now = ClientThread.now()
        if let dealer, !dealer.isConnected, now - lastChange >= Self.patience { reopen(at: now) }
    }

    private func turnedAway(_ detail: String, at now: Milliseconds) {
        machine.turnedAway(.notAuthorised(endpoint: configuration.requests.description, detail), at: now)
        // libzmq gives up after a final refusal; the operator may yet list the key.
        attempts = max(attempts, 2)
        reopen(at: now)
    }

    private func takeOrders(at now: Milliseconds) -> Bool {
        let (orders, isClosing) = mailbox.content.withLock { content in
            defer { content.orders = [] }
            return (content.orders, content.isClosing)
        }
        for order in orders { machine.ordered(order, at: now) }
        return isClosing
    }

    // MARK: Actions

    private func act(at now: Milliseconds) {
        for action in machine.takeActions() {
            switch action {
            case .send(let request): send(request)
            case .reopen: reopen(at: now)
            case .notify(let notice): deliver(notice)
            }
        }
        sendWaiting()
    }

    private func send(_ request: Request) {
        writer.removeAll()
        writer.request(request)
        let bytes = writer.bytes
        guard unsent.isEmpty, let socket = dealer?.socket, (try? socket.trySend(bytes)) == true else {
            // Bounded by the outbox; without a connection the machine sends nothing.
            unsent.append(bytes)
            return
        }
    }

    private func sendWaiting() {
        guard let dealer else { return unsent = [] }
        var sent = 0
        while sent < unsent.count, (try? dealer.socket.trySend(unsent[sent])) == true { sent += 1 }
        if sent > 0 { unsent.removeFirst(sent) }
        poller.set(dealer.slot, unsent.isEmpty ? .readable : [.readable, .writable])
    }
}
