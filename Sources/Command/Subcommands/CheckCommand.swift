import AlertBusConfiguration
import AlertBusModel
import AlertBusWire

/// `alertbus check`: everything that is wrong with a configuration file.
enum CheckCommand {
    static let definition = Subcommand(
        name: "check", summary: "Say everything that is wrong with a configuration file",
        operands: [.optional("FILE", "The file; without one the defaults are checked")],
        options: [.option("surface", "PATH", "Say which policy this surface has, and why")],
        notes: [
            "Each fault is a line FILE:LINE:COLUMN: KEY: MESSAGE on standard error, or with --json an object on standard output. "
                + "With any fault the exit code is 1."
        ],
        examples: ["alertbus check Config/alertbus.toml --surface lobby/kiosk-1/modal"],
        run: run)

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        let file = arguments.operand("FILE")
        let configuration: Configuration
        do throws(ConfigurationFaults) {
            configuration =
                if let file { try Configuration.load(path: file) } else { Configuration() }
        } catch {
            if arguments.wantsJSON {
                StandardOutput.line(error.jsonLines)
                throw .refused("")
            }
            StandardError.line(error.description)
            throw .refused("\(error.faults.count) fault\(error.faults.count == 1 ? "" : "s") in \(file ?? "the defaults")")
        }
        if let surface = arguments.text("surface") {
            try tell(surface, configuration, arguments)
        } else {
            report(file, configuration, arguments)
        }
        return .done
    }

    private static func tell(
        _ surface: String, _ configuration: Configuration, _ arguments: Arguments
    ) throws(CommandFailure) {
        do throws(NameFault) {
            let decision = try configuration.decision(for: surface)
            StandardOutput.line(arguments.wantsJSON ? decision.json : decision.description)
        } catch {
            throw .usage("--surface \(Quoting.quoted(surface)) \(error)")
        }
    }

    private static func report(_ file: String?, _ configuration: Configuration, _ arguments: Arguments) {
        let count = configuration.policies.rules.count
        if arguments.wantsJSON {
            let line: JSONValue = .object([
                .init("file", .string(file ?? "")), .init("ok", true), .init("policies", .number("\(count)")),
            ])
            StandardOutput.line(line.text)
        } else {
            let rules = "\(count) \(count == 1 ? "policy" : "policies") and the default"
            StandardOutput.line("\(Quoting.safe(file ?? "the defaults")): no faults; \(rules)")
        }
    }
}
