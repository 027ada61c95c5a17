import AlertBus
import AlertBusModel
import Glibc
import ZeroMQ

/// `alertbus watch --screen`: draws a surface in the terminal and takes what a person does there.
struct TerminalWatch {
    private let endpoint: Endpoint
    private let subscriber: Subscriber
    private let mailbox: Mailbox
    private let terminal: CursesTerminal
    private var screen: TerminalScreen
    /// What is drawn with the next picture.
    private var positions: [String: ScreenPosition] = [:]
    private var wasConnected = false

    static func run(
        _ endpoint: Endpoint, _ scope: SurfaceScope, slots: Int, _ timeout: Milliseconds?
    ) throws(CommandFailure) -> ExitCode {
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP]
        SignalThread.block(signals)
        let mailbox = try Mailbox()
        let terminal = try CursesTerminal()
        SignalThread.start(signals) { mailbox.put(.signal($0)) }
        var watch = TerminalWatch(
            endpoint: endpoint, subscriber: try subscribe(endpoint, scope, mailbox), mailbox: mailbox, terminal: terminal,
            screen: TerminalScreen(title: scope.text, slots: slots))
        defer {
            terminal.close()
            watch.subscriber.close()
        }
        return try watch.loop(until: timeout.map { SystemClock.monotonic() + $0 }, timeout ?? 0)
    }

    private init(endpoint: Endpoint, subscriber: Subscriber, mailbox: Mailbox, terminal: CursesTerminal, screen: TerminalScreen) {
        self.endpoint = endpoint
        self.subscriber = subscriber
        self.mailbox = mailbox
        self.terminal = terminal
        self.screen = screen
    }

    private static func subscribe(
        _ endpoint: Endpoint, _ scope: SurfaceScope, _ mailbox: Mailbox
    ) throws(CommandFailure) -> Subscriber {
        var options = ClientOptions()
        // Said after the picture is on the terminal.
        options.confirmsDrawn = false
        options.reconnect = .milliseconds(200)
        options.longestReconnect = .seconds(2)
        do throws(ClientError) {
            return try Subscriber(requests: endpoint.description, scopes: [scope.text], options: options) { event, position in
                mailbox.put(.event(event, position))
            }
        } catch {
            throw ScreenWatch.failure(error)
        }
    }

    /// - Parameter deadline: without an arbiter until then it ends.
    private mutating func loop(until deadline: Milliseconds?, _ timeout: Milliseconds) throws(CommandFailure) -> ExitCode {
        while true {
            for item in mailbox.take() where isEnd(item) { return .done }
            if let error = subscriber.error { throw ScreenWatch.failure(error) }
            let now = SystemClock.monotonic()
            if screen.link == .connected { wasConnected = true }
            if !wasConnected, let deadline, now >= deadline { throw .noArbiter(endpoint, timeout) }
            draw(now)
            guard wait(now) else { return .done }
            while let key = terminal.read() {
                if let deed = screen.press(key, at: SystemClock.monotonic()) { send(deed) }
            }
        }
    }

    private mutating func isEnd(_ item: Mailbox.Item) -> Bool {
        let now = SystemClock.monotonic()
        switch item {
        case .event(let event, let position):
            screen.apply(event, at: now)
            if let position { positions[position.surface] = position }
        case .verdict(let deed, let error): screen.heard(error, of: deed, at: now)
        case .signal(SIGWINCH): break
        case .signal(SIGTSTP): terminal.suspend()
        case .signal: return true
        }
        return false
    }

    private mutating func draw(_ now: Milliseconds) {
        let (width, height) = terminal.size()
        let clock = String(LocalTime.text(SystemClock.wall()).prefix(5))
        let painter = ScreenPainter(
            screen: screen, width: width, height: height, now: now, clock: clock, address: endpoint.description)
        terminal.show(painter.picture())
        for position in positions.values.sorted(by: { $0.surface < $1.surface }) { subscriber.drawn(position) }
        positions = [:]
    }

    /// Until a key, the bus or a clock changes the picture.
    /// - Returns: false when the terminal has gone: nobody looks, and waiting for its keys would never wait.
    private func wait(_ now: Milliseconds) -> Bool {
        var sources = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mailbox.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&sources, nfds_t(sources.count), screen.isTicking(at: now) ? 250 : 1000)
        return sources[0].revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0
    }

    private func send(_ deed: TerminalScreen.Deed) {
        subscriber.end(deed.instance, on: deed.surface, revision: deed.revision, answer: deed.answer) { [mailbox] error in
            mailbox.put(.verdict(deed, error))
        }
    }
}
