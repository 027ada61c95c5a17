import AlertBusConfiguration
import AlertBusJournal
import AlertBusService
import AlertBusWire
import Glibc
import ZeroMQ

/// `alertbus arbiter`: runs the service until a signal ends it.
enum ArbiterCommand {
    static let definition = Subcommand(
        name: "arbiter", summary: "Run the arbiter",
        options: [
            .option("config", "FILE", "The configuration file; without one every value has its default"),
            .option("feed", "ADDRESS", "Where observers connect, or none; replaces arbiter.feed"),
            .option("journal", "WHERE", "memory, or the path of a file; replaces arbiter.journal"),
            .flag("insecure", "Listen on addresses that other machines can reach although no keys are set"),
        ],
        notes: [
            "--requests (or $ALERTBUS_REQUESTS) is the address to listen on; it replaces arbiter.requests of the file. "
                + "A port of * lets the system choose one. When it is ready the arbiter prints one line with its addresses.",
            "SIGINT and SIGTERM end it cleanly; a second one ends it at once. SIGHUP makes it read the configuration file again: "
                + "rules and limits change without disturbing what is shown, addresses and the journal stay until the next "
                + "start. If the file is faulty it says every fault and keeps the old rules.",
        ],
        examples: [
            "alertbus arbiter --config /etc/alertbus.toml", "alertbus arbiter --journal memory --feed none",
        ],
        run: run)

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        let source = ConfigurationSource(arguments)
        let configuration = try source.read()
        let signals = [SIGINT, SIGTERM, SIGHUP]
        SignalThread.block(signals)
        raiseFileLimit()
        ParentWatch.begin()
        do throws(ServiceError) {
            let service = try Service(configuration: configuration)
            let control = ArbiterControl(source: source, remote: service.control, configuration)
            SignalThread.start(signals) { control.received($0) }
            service.onReport = { StandardError.line("alertbus arbiter: \(Quoting.safe($0))") }
            announce(service, try journal(configuration), arguments)
            try service.run()
        } catch {
            throw .refused("\(error)")
        }
        return .done
    }

    /// Each connection takes a descriptor, and at the limit libzmq says nothing and spins.
    private static func raiseFileLimit() {
        do throws(ZMQError) { _ = try FileDescriptorLimit.raise() } catch {
            StandardError.line("alertbus arbiter: the limit of open files stays as it is: \(error)")
        }
    }

    /// `memory`, or the path of the journal's file.
    private static func journal(_ configuration: Configuration) throws(ServiceError) -> String {
        do throws(JournalError) {
            switch configuration.arbiter.journal {
            case .memory: return "memory"
            case .stateDirectory: return try JournalPath.standard()
            case .file(let path): return path
            }
        } catch {
            throw .journal(error)
        }
    }

    private static func announce(_ service: Service, _ journal: String, _ arguments: Arguments) {
        let requests = service.requestsEndpoint()
        let feed = service.feedEndpoint() ?? "none"
        if arguments.wantsJSON {
            let line: JSONValue = .object([
                .init("ready", true), .init("requests", .string(requests)), .init("feed", .string(feed)),
                .init("journal", .string(journal)), .init("epoch", .number("\(service.epoch)")),
                .init("pid", .number("\(getpid())")),
            ])
            StandardOutput.offerLine(line.text)
        } else {
            StandardOutput.offerLine("ready: requests \(requests), feed \(feed), journal \(journal), epoch \(service.epoch)")
        }
    }
}

/// The file and the options that replace its values.
struct ConfigurationSource: Sendable {
    let path: String?
    let overrides: [ConfigurationOverride]

    init(_ arguments: Arguments) {
        path = arguments.text("config")
        var overrides: [ConfigurationOverride] = []
        if let (text, source) = BusAddress.given(arguments) {
            overrides.append(ConfigurationOverride(key: "arbiter.requests", value: text, source: source))
        }
        for name in ["feed", "journal"] {
            guard let text = arguments.text(name) else { continue }
            overrides.append(ConfigurationOverride(key: "arbiter.\(name)", value: text, source: "--\(name)"))
        }
        if arguments.has("insecure") {
            overrides.append(ConfigurationOverride(key: "security.insecure", value: "true", source: "--insecure"))
        }
        self.overrides = overrides
    }

    func read() throws(CommandFailure) -> Configuration {
        do throws(ConfigurationFaults) {
            guard let path else { return try Configuration.decode(text: "", name: "defaults", overrides: overrides) }
            return try Configuration.load(path: path, overrides: overrides)
        } catch {
            throw .refused("the configuration is faulty\n\(error)")
        }
    }
}
