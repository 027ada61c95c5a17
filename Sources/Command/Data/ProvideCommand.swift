import AlertBus
import AlertBusModel
import AlertBusWire
import Dispatch
import Glibc
import ZeroMQ

/// `alertbus provide`: brings the rows of a source, from a file or from a command.
enum ProvideCommand {
    static let definition = Subcommand(
        name: "provide", summary: "Bring the rows of a source, from a file or from a command",
        operands: [.required("NAME", "The name by which alerts ask for it")],
        options: [
            .option("file", "FILE", "A JSON array of rows; it is read again for each request"),
            .option("exec", "COMMAND", "For the shell: gets the request on standard input, writes the rows to standard output"),
            .option("time-limit", "TIME", "The command is ended after this; default 10s"),
            .option("concurrency", "N", "Commands that may run at the same time, 1 to 64; more requests wait; default 8"),
        ],
        notes: [
            "A row is an object with an id, a number or a string, that no other row has. The arbiter marks the selected ones, so rows "
                + "have no field selected. Several providers may serve one name; the arbiter asks them in turn and leaves out a dead one.",
            "The request is what the producer wrote for the source, as one line of JSON, or null. If the command ends with another "
                + "code than 0, is late, or writes anything but a JSON array, the alert ends as load_failed with the cause; the last line "
                + "of its standard error is part of it. A command that nobody waits for any more is killed, with all its children.",
            "It prints one line when the name is registered, and goes on until SIGINT or SIGTERM ends it with 0; what it was asked then "
                + "goes to another provider. With --timeout it ends with 3 when no arbiter is heard at first within that time.",
        ],
        examples: [
            "alertbus provide departments --file departments.json",
            #"alertbus provide houses --exec 'jq ".[\"$(jq -r .region)\"]" houses.json'"#,
        ],
        run: run)

    /// How often the state of the connection is looked at, and how long nobody is told that there is none.
    private static let glance = DispatchTimeInterval.milliseconds(50)
    private static let patience: Milliseconds = 3000

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        let name = try Arguments.checked(arguments.required("NAME"), "NAME")
        let endpoint = try BusAddress.endpoint(arguments)
        let timeout = try arguments.duration("timeout")
        let concurrency = try arguments.integer("concurrency", 1...64) ?? 8
        let rows = try source(arguments)
        let stop = DispatchSemaphore(value: 0)
        let signals = [SIGINT, SIGTERM]
        SignalThread.block(signals)
        SignalThread.start(signals) { _ in stop.signal() }
        let provider = try connect(name, endpoint, concurrency, rows, try ClientKeys.security(arguments))
        try serve(provider, name, endpoint, timeout, stop, arguments.wantsJSON)
        end(provider, rows)
        return .done
    }

    private static func source(_ arguments: Arguments) throws(CommandFailure) -> any RowSource {
        switch (arguments.text("file"), arguments.text("exec")) {
        case (let path?, nil):
            for name in ["time-limit", "concurrency"] where arguments.has(name) {
                throw .usage("--\(name) is for --exec")
            }
            let rows = FileRows(path: path)
            // A file that is wrong from the start should not wait for the first alert to say so.
            do throws(RowFault) { _ = try rows.read() } catch { throw .refused(error.description) }
            return rows
        case (nil, let command?):
            if command.isEmpty { throw .usage("--exec takes a command for the shell") }
            return CommandRows(command: command, limit: try arguments.duration("time-limit") ?? 10_000)
        case (nil, nil): throw .usage("--file or --exec is missing: say where the rows come from")
        case (_?, _?): throw .usage("--file and --exec exclude each other")
        }
    }

    private static func connect(
        _ name: String, _ endpoint: Endpoint, _ concurrency: Int, _ rows: any RowSource,
        _ security: Security?
    ) throws(CommandFailure) -> Provider {
        var options = ClientOptions()
        options.security = security
        options.reconnect = .milliseconds(200)
        options.longestReconnect = .seconds(2)
        do throws(ClientError) {
            return try Provider(
                requests: endpoint.description, name: name, concurrency: concurrency, options: options
            ) { request in
                do {
                    return try await rows.rows(request)
                } catch {
                    if !Task.isCancelled { StandardError.line("alertbus provide: \(Quoting.safe(name)): \(error)") }
                    throw error
                }
            }
        } catch {
            throw .refused(error.description)
        }
    }

    /// Until a signal comes.
    private static func serve(
        _ provider: Provider, _ name: String, _ endpoint: Endpoint, _ timeout: Milliseconds?, _ stop: DispatchSemaphore,
        _ wantsJSON: Bool
    ) throws(CommandFailure) {
        let notes = LinkNotes(endpoint)
        let start = SystemClock.monotonic()
        var wasHeard = false
        var isLost = false
        while stop.wait(timeout: .now() + glance) == .timedOut {
            if let error = provider.error {
                if case .refused(let refusal) = error { throw Replies.failure(refusal) }
                throw .refused(error.description)
            }
            if provider.link == .connected {
                if !wasHeard { announce(name, endpoint, wantsJSON) }
                if isLost { notes.back() }
                wasHeard = true
                isLost = false
                continue
            }
            let now = SystemClock.monotonic()
            if !wasHeard, let timeout, now - start >= timeout { throw .noArbiter(endpoint, timeout) }
            if !isLost && (wasHeard || now - start >= patience) {
                notes.lost()
                isLost = true
            }
        }
    }

    private static func announce(_ name: String, _ endpoint: Endpoint, _ wantsJSON: Bool) {
        if wantsJSON {
            let line = JSONValue.object([
                .init("ready", true), .init("name", .string(name)), .init("requests", .string(endpoint.description)),
                .init("pid", .number("\(getpid())")),
            ])
            StandardOutput.line(line.text)
        } else {
            StandardOutput.line("ready: provides \(Quoting.safe(name)) at \(endpoint)")
        }
    }

    /// The connection ends first: what is interrupted then fails nobody's alert, but goes to another provider.
    private static func end(_ provider: Provider, _ rows: any RowSource) {
        let closed = DispatchSemaphore(value: 0)
        provider.close()
        Task {
            for await _ in provider.linkStates {}
            closed.signal()
        }
        _ = closed.wait(timeout: .now() + 2)
        rows.waitForEnd()
    }
}
