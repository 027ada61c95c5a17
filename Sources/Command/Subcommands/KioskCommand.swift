import AlertBus
import AlertBusKiosk
import AlertBusModel
import AlertBusWire
import Dispatch
import Glibc
import Synchronization
import ZeroMQ

/// `alertbus kiosk`: a screen for people, in a browser.
enum KioskCommand {
    static let definition = Subcommand(
        name: "kiosk", summary: "Serve a page that draws surfaces for people, and take their answers",
        operands: [.repeated("SURFACE", "What the page draws, the one on top last; " + ScopeHelp.text)],
        options: [
            .option("http", "ADDRESS", "Where the page is served; default \(KioskAddress.standard), port 0 lets the system choose"),
            .option("title", "TEXT", "What stands there while nothing is shown; default the surfaces"),
            .option("lang", "TAG", "The language of the page's own words: en, de, zh or ar; default the browser's"),
            .option("input-guard", "TIME", "No action counts so soon after something appeared; default 300ms"),
            .option("slots", "N", "How many alerts stand side by side, as in the surface's policy; default 1"),
            .option("host", "NAME", "Another name under which browsers reach the page", repeatable: true),
            .flag("insecure", "Serve on an address that other machines can reach: who reaches the page can answer"),
        ],
        notes: [
            "When the page is served it prints one line with the address; open that in a browser. The page needs nothing else from "
                + "anywhere. It may be opened several times: the first answer wins.",
            "The arbiter may come later. As long as it is not heard the page keeps what it shows and says so; it comes back by "
                + "itself. --timeout is how long an action waits for the arbiter. SIGINT and SIGTERM end it cleanly.",
        ],
        examples: [
            "alertbus kiosk lobby/kiosk-1/modal",
            "alertbus kiosk lobby/kiosk-1/banner lobby/kiosk-1/modal --http 127.0.0.1:8081 --title 'Lobby' --lang en",
        ],
        run: run)

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        let scopes = try surfaces(arguments)
        let endpoint = try BusAddress.endpoint(arguments)
        let address = try address(arguments)
        let options = try options(arguments)
        let signals = [SIGINT, SIGTERM]
        SignalThread.block(signals)
        let bridge = KioskBridge()
        let server = KioskServer(address: address, surfaces: scopes, bus: bridge, options: options)
        let stopped = DispatchSemaphore(value: 0)
        SignalThread.start(signals) { _ in stopped.signal() }
        let bound: KioskAddress
        do throws(KioskError) { bound = try server.start() } catch { throw .refused("\(error)") }
        do throws(ClientError) {
            try bridge.follow(scopes, at: endpoint.description, into: server)
        } catch {
            server.stop()
            throw .refused("\(error)")
        }
        announce(bound, endpoint, arguments)
        wait(for: stopped, bridge)
        bridge.stop()
        server.stop()
        return .done
    }

    /// Until a signal comes; says meanwhile why there is no connection, once for each cause.
    private static func wait(for stopped: DispatchSemaphore, _ bridge: KioskBridge) {
        var told: ClientError?
        while stopped.wait(timeout: .now() + .milliseconds(500)) == .timedOut {
            let error = bridge.error
            if let error, error != told { StandardError.line("alertbus kiosk: \(error)") }
            told = error
        }
    }

    private static func announce(_ bound: KioskAddress, _ endpoint: Endpoint, _ arguments: Arguments) {
        if arguments.wantsJSON {
            let line: JSONValue = .object([
                .init("ready", true), .init("http", .string("http://\(bound)/")),
                .init("requests", .string(endpoint.description)), .init("pid", .number("\(getpid())")),
            ])
            StandardOutput.line(line.text)
        } else {
            StandardOutput.line("ready: page http://\(bound)/, arbiter \(endpoint)")
        }
    }

    // MARK: The command line

    private static func surfaces(_ arguments: Arguments) throws(CommandFailure) -> [String] {
        var scopes: [String] = []
        for text in arguments.all("SURFACE") { scopes.append(try Arguments.scope(text, "SURFACE").text) }
        return scopes
    }

    private static func address(_ arguments: Arguments) throws(CommandFailure) -> KioskAddress {
        guard let text = arguments.text("http") else { return .standard }
        let address: KioskAddress
        do throws(KioskError) { address = try KioskAddress(text) } catch { throw .usage("--http: \(error)") }
        if !address.isLoopback && !arguments.has("insecure") {
            throw .usage(
                "--http \(address) can be reached by other machines, and who reaches the page can answer. "
                    + "Serve on 127.0.0.1 behind a server that asks who it is, or add --insecure.")
        }
        return address
    }

    private static func options(_ arguments: Arguments) throws(CommandFailure) -> KioskOptions {
        var options = KioskOptions()
        options.title = arguments.text("title") ?? ""
        options.language = arguments.text("lang") ?? ""
        if let time = try arguments.duration("input-guard", 0...60_000) { options.inputGuard = Int(time) }
        options.slots = try arguments.integer("slots", 1...16) ?? options.slots
        options.hosts = arguments.all("host")
        if let time = try arguments.duration("timeout", 1...60_000) { options.actTimeout = Int(time) }
        options.log = { StandardError.line("alertbus kiosk: " + $0) }
        return options
    }
}
