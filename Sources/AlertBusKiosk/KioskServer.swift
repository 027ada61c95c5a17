import CMicroHTTPD
import Dispatch
import Glibc
import Synchronization

/// Serves the page that draws one or more surfaces, keeps its screen, and takes back what people do.
///
/// Feed it with `publish`; it tells the bus through `KioskBus`. All functions may be called from any thread.
public final class KioskServer: Sendable {
    private struct Running {
        var daemon: OpaquePointer
        var timer: any DispatchSourceTimer
        var retained: Unmanaged<HTTPHandler>
        var log: Unmanaged<LogSink>
        var logTarget: UnsafeMutablePointer<alertbus_http_log>
    }

    private let options: KioskOptions
    private let requested: KioskAddress
    private let hub: EventHub
    private let exchanges: Exchanges
    private let handler: HTTPHandler
    private let running = Mutex<Running?>(nil)
    private let hasStopped = Mutex(false)

    /// Makes a server that does not serve yet.
    /// - Parameters:
    ///   - surfaces: what the page draws, the one on top last; a name that ends with a slash means all below it.
    ///   - bus: is told what people do and what is drawn.
    public init(
        address: KioskAddress = .standard, surfaces: [String], bus: any KioskBus, options: KioskOptions = KioskOptions()
    ) {
        self.options = options
        requested = address
        let guardian = RequestGuard(address: address, hosts: options.hosts)
        let names = "[" + surfaces.map(ScreenState.quoted).joined(separator: ",") + "]"
        let title = options.title.isEmpty ? surfaces.joined(separator: ", ") : options.title
        let assets = PageAssets(
            title: title,
            settings: [
                ("token", ScreenState.quoted(guardian.token)), ("surfaces", names), ("title", ScreenState.quoted(title)),
                ("language", ScreenState.quoted(options.language)), ("inputGuard", String(max(0, options.inputGuard))),
                ("slots", String(max(1, options.slots))), ("heartbeat", String(options.heartbeat)),
                ("actTimeout", String(options.actTimeout)),
            ])
        let hello = "{\"token\":\"\(guardian.token)\",\"build\":\"\(assets.build)\"}"
        hub = EventHub(surfaces: surfaces, options: options, hello: Array(hello.utf8))
        exchanges = Exchanges(limit: options.actsInFlight, timeout: options.actTimeout)
        handler = HTTPHandler(
            hub: hub, exchanges: exchanges, guardian: guardian, assets: assets, bus: bus, bodyLimit: options.bodyLimit,
            log: options.log)
    }

    deinit { stop() }

    /// Begins to serve.
    /// - Returns: the address, with the port that the system chose when 0 was asked for.
    /// - Throws: `cannotBind` with the system's error, `badAddress`, `alreadyRunning`, `stopped`.
    @discardableResult
    public func start() throws(KioskError) -> KioskAddress {
        if hasStopped.withLock({ $0 }) { throw .stopped }
        let result: Result<KioskAddress, KioskError> = running.withLock { running in
            if running != nil { return .failure(.alreadyRunning) }
            do throws(KioskError) {
                let started = try bind()
                running = started
                var address = requested
                address.port = UInt16(truncatingIfNeeded: alertbus_http_port(started.daemon))
                return .success(address)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Ends all event streams and waiting actions, then the server. Does nothing when it does not run. It cannot be started again.
    public func stop() {
        let ended = running.withLock { running -> sending Running? in
            defer { running = nil }
            return running
        }
        guard let ended else { return }
        hasStopped.withLock { $0 = true }
        ended.timer.cancel()
        exchanges.stop()
        hub.stop(within: 2_000)
        MHD_stop_daemon(ended.daemon)
        ended.retained.release()
        ended.log.release()
        ended.logTarget.deallocate()
    }

    /// Takes in one message of the bus: `snapshot`, `show`, `update`, `hide`, or `{"op":"link","state":"connected"|"stale"|"reconnecting"}`,
    /// in order and without holes. Other messages are ignored.
    /// - Throws: `badMessage` when it is not such a message; the screen stays as it was.
    public func publish(_ json: [UInt8]) throws(KioskError) { try hub.publish(json) }

    /// Pages that follow, bytes held for them, and how often a slow one was given a snapshot.
    public var statistics: (streams: Int, bytes: Int, resynchronisations: Int) { hub.statistics }

    private func bind() throws(KioskError) -> Running {
        let sink = Unmanaged.passRetained(LogSink(options.log))
        let target = UnsafeMutablePointer<alertbus_http_log>.allocate(capacity: 1)
        target.initialize(to: alertbus_http_log(line: logLine, context: sink.toOpaque()))
        let retained = Unmanaged.passRetained(handler)
        var failure: Int32 = 0
        let daemon: OpaquePointer?
        do throws(KioskError) {
            daemon = try requested.withSocketAddress { address, isIPv6 in
                var setup = alertbus_http_setup(
                    address: address, is_ipv6: isIPv6 ? 1 : 0, connections: UInt32(clamping: options.connections),
                    timeout_seconds: UInt32(clamping: options.connectionTimeout), memory_per_connection: 32_768,
                    handler: HTTPHandler.request, completed: HTTPHandler.completed, context: retained.toOpaque(), log: target)
                errno = 0
                let daemon = alertbus_http_start(&setup)
                failure = errno
                return daemon
            }
        } catch {
            retained.release()
            sink.release()
            target.deallocate()
            throw error
        }
        guard let daemon else {
            retained.release()
            sink.release()
            target.deallocate()
            throw .cannotBind(
                address: requested.description, code: failure,
                reason: failure == 0 ? "the HTTP library did not start" : String(cString: strerror(failure)))
        }
        return Running(daemon: daemon, timer: startTimer(), retained: retained, log: sink, logTarget: target)
    }

    private func startTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "alertbus.kiosk.timer"))
        let heartbeat = Int64(options.heartbeat)
        let lastBeat = Mutex(EventHub.now())
        timer.setEventHandler { [hub, exchanges] in
            let now = EventHub.now()
            exchanges.expire(now: now)
            let isDue = lastBeat.withLock { last in
                if now - last < heartbeat { return false }
                last = now
                return true
            }
            if isDue { hub.beat() }
        }
        let period = max(20, min(250, options.heartbeat / 2))
        timer.schedule(deadline: .now() + .milliseconds(period), repeating: .milliseconds(period))
        timer.resume()
        return timer
    }
}

private final class LogSink: Sendable {
    let log: @Sendable (String) -> Void
    init(_ log: @escaping @Sendable (String) -> Void) { self.log = log }
}

private let logLine: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void = { context, text in
    guard let context, let text else { return }
    let line = String(cString: text)
    // A browser that goes away is no news.
    if line.contains("no longer available for sending") { return }
    Unmanaged<LogSink>.fromOpaque(context).takeUnretainedValue().log(line.hasSuffix("\n") ? String(line.dropLast()) : line)
}
