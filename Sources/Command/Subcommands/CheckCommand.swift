import AlertBusConfiguration
import AlertBusModel
import AlertBusWire
import ZeroMQ

/// `alertbus check`: everything that is wrong with a configuration file.
enum CheckCommand {
    static let definition = Subcommand(
        name: "check", summary: "Say everything that is wrong with a configuration file",
        operands: [.optional("FILE", "The file; without one the defaults are checked")],
        options: [.option("surface", "PATH", "Say which policy this surface has, and why")],
        notes: [
            "The arbiter's key file and its permissions file are checked too, where the file names them.",
            "Each fault is a line FILE:LINE:COLUMN: KEY: MESSAGE on standard error, or with --json an object on standard output. "
                + "With any fault the exit code is 1.",
        ],
        examples: ["alertbus check Config/alertbus.toml --surface lobby/kiosk-1/modal"],
        run: run)

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        let file = arguments.operand("FILE")
        var configuration = Configuration()
        var faults: [ConfigurationFault] = []
        do throws(ConfigurationFaults) {
            if let file { configuration = try Configuration.load(path: file) }
            faults = SecurityFiles.faults(of: configuration.security)
        } catch {
            faults = error.faults
        }
        if !faults.isEmpty { return report(faults, file, arguments) }
        if let surface = arguments.text("surface") {
            try tell(surface, configuration, arguments)
        } else {
            report(file, configuration, arguments)
        }
        return .done
    }

    private static func report(_ faults: [ConfigurationFault], _ file: String?, _ arguments: Arguments) -> ExitCode {
        if arguments.wantsJSON {
            StandardOutput.line(faults.map(\.json).joined(separator: "\n"))
        } else {
            StandardError.line(faults.map(\.description).joined(separator: "\n"))
            let count = "\(faults.count) fault\(faults.count == 1 ? "" : "s")"
            StandardError.line("alertbus check: \(count) in \(Quoting.safe(file ?? "the defaults"))")
        }
        return .refused
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

/// The files that a configuration names for its security.
private enum SecurityFiles {
    static func faults(of security: SecuritySettings) -> [ConfigurationFault] {
        var faults: [ConfigurationFault] = []
        if !security.curveKeyFile.isEmpty {
            do throws(CurveKeyFile.Fault) {
                _ = try CurveKeyFile.read(path: security.curveKeyFile).pair(path: security.curveKeyFile)
            } catch {
                let position = error.line > 0 ? SourcePosition(line: error.line, column: 1) : nil
                faults.append(
                    ConfigurationFault(
                        .impossibleValue, file: error.path, position: position, key: "security.curve_key_file",
                        expected: "a key file with a secret key", found: "one that cannot be used (\(error.detail))"))
            }
        }
        if !security.permissionsFile.isEmpty {
            do throws(ConfigurationFaults) { _ = try Permissions.load(path: security.permissionsFile) } catch {
                faults += error.faults
            }
        }
        return faults
    }
}
