import AlertBusConfiguration
import AlertBusScripts
import AlertBusWire

/// `alertbus simulate`: runs scripts on a virtual clock.
enum SimulateCommand {
    static let definition = Subcommand(
        name: "simulate", summary: "Run scripts of inputs against a policy on a virtual clock",
        operands: [.required("FILE", "One script a line, as JSON; - reads standard input")],
        options: [
            .option("policy", "FILE", "A configuration file whose policies are used in place of those in the scripts"),
            .flag("verify", "Compare with what each script expects; print what differs"),
        ],
        notes: [
            "It prints one line for each script: {\"name\":…,\"events\":[[MS,\"show\",KEY,REASON],…]}; --json is implied. With --verify it "
                + "prints a line for each script that differs, and its exit code is 1 when there is one. A script with a fault is "
                + "reported as FILE:LINE: PLACE: MESSAGE, the others run all the same, and the exit code is 1.",
            "The page Simulate of the documentation explains the steps that a script can have.",
        ],
        examples: [
            "alertbus simulate Tests/Fixtures/conformance/stack.jsonl --verify",
            "alertbus simulate scripts.jsonl --policy Config/alertbus.toml",
        ],
        run: run)

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        let file = arguments.required("FILE")
        let policies = try policies(arguments)
        let lines = try InputFile.read(file).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let decoder = ScriptDecoder(policies: policies)
        var tally = Tally()
        for (index, line) in lines.enumerated() where !line.allSatisfy(isWhite) {
            let place = "\(Quoting.safe(file)):\(index + 1)"
            tally.scripts += 1
            do throws(ScriptFault) {
                let script = try decoder.decode(Array(line), name: "#\(index + 1)")
                let events = try ScriptRun.events(of: script)
                if arguments.has("verify") {
                    if try !verify(script, events, place) { tally.differing += 1 }
                } else {
                    StandardOutput.line(ScriptReport.line(script, events))
                }
            } catch {
                tally.faulty += 1
                StandardError.line("\(place): \(Quoting.safe(error.description))")
            }
        }
        if arguments.has("verify") { StandardError.line(tally.text) }
        return tally.differing + tally.faulty == 0 ? .done : .refused
    }

    private struct Tally {
        var scripts = 0
        var differing = 0
        var faulty = 0

        var text: String {
            let faults = faulty > 0 ? ", \(faulty) with faults" : ""
            return "\(scripts) scripts, \(differing) differ" + faults
        }
    }

    private static func verify(
        _ script: Script, _ events: [ScriptEvent], _ place: String
    ) throws(ScriptFault) -> Bool {
        guard let expected = script.expected else {
            throw ScriptFault(place: "expect", message: "is missing, and --verify compares with it")
        }
        guard let difference = ScriptDifference.first(expected: expected, got: events) else { return true }
        StandardOutput.line(ScriptReport.line(script, events, difference))
        StandardError.line("\(place): \(Quoting.safe(script.name)): \(Quoting.safe(difference.description))")
        return false
    }

    private static func policies(_ arguments: Arguments) throws(CommandFailure) -> ScriptPolicies {
        guard let file = arguments.text("policy") else { return .ofEachScript }
        do throws(ConfigurationFaults) {
            return .given(try Configuration.load(path: file).policies)
        } catch {
            throw .refused("the policies cannot be used\n\(error)")
        }
    }

    private static func isWhite(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }
}
