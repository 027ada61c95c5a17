import Command
import Testing

@Suite("The command line")
struct ParserTests {
    static let subcommand = Subcommand(
        name: "test", summary: "Test",
        operands: [.required("SURFACE", "where"), .optional("KEY", "which"), .required("JSON", "what")],
        options: [
            .option("priority", "N", "a number"), .option("action", "ID", "many", repeatable: true),
            .flag("no-intercept", "a switch"), .option("ttl", "TIME", "a time"),
        ],
        run: { (_) throws(CommandFailure) in .done })

    static let accepted: [(words: [String], operands: [String: String], values: [String: [String]])] = [
        (["a", "j"], ["SURFACE": "a", "JSON": "j"], [:]),
        (["a", "k", "j"], ["SURFACE": "a", "KEY": "k", "JSON": "j"], [:]),
        (["--priority", "3", "a", "j"], ["SURFACE": "a", "JSON": "j"], ["priority": ["3"]]),
        (["a", "--priority=3", "j"], ["SURFACE": "a", "JSON": "j"], ["priority": ["3"]]),
        (["a", "j", "--ttl="], ["SURFACE": "a", "JSON": "j"], ["ttl": [""]]),
        (["a", "j", "--ttl=a=b"], ["SURFACE": "a", "JSON": "j"], ["ttl": ["a=b"]]),
        (["a", "j", "--action", "x", "--action=y"], ["SURFACE": "a", "JSON": "j"], ["action": ["x", "y"]]),
        (["a", "j", "--no-intercept"], ["SURFACE": "a", "JSON": "j"], ["no-intercept": [""]]),
        (["a", "-5"], ["SURFACE": "a", "JSON": "-5"], [:]),
        (["a", "-"], ["SURFACE": "a", "JSON": "-"], [:]),
        (["a", "--", "--json"], ["SURFACE": "a", "JSON": "--json"], [:]),
        (["a", "j", "--ttl", "-1s"], ["SURFACE": "a", "JSON": "j"], ["ttl": ["-1s"]]),
        (["a", "j", "--ttl=--x"], ["SURFACE": "a", "JSON": "j"], ["ttl": ["--x"]]),
        (["--help"], [:], ["help": [""]]),
        (["-h", "a"], [:], ["help": [""]]),
        (
            ["a", "j", "--json", "--requests", "ipc:///x", "--timeout=1s"], ["SURFACE": "a", "JSON": "j"],
            ["json": [""], "requests": ["ipc:///x"], "timeout": ["1s"]]
        ),
    ]

    @Test("is read", arguments: accepted.indices)
    func accepts(index: Int) throws {
        let (words, operands, values) = Self.accepted[index]
        let arguments = try ArgumentParser.parse(words, for: Self.subcommand)
        #expect(arguments.operands == operands)
        #expect(arguments.values == values)
    }

    @Test("gives the last operand all words that are left, where it takes them")
    func repeatedOperand() throws {
        let subcommand = Subcommand(
            name: "test", summary: "Test", operands: [.repeated("SURFACE", "where")], run: { (_) throws(CommandFailure) in .done })
        #expect(try ArgumentParser.parse(["a", "--json", "b", "--", "--c"], for: subcommand).all("SURFACE") == ["a", "b", "--c"])
        #expect(throws: CommandFailure.usage("SURFACE is missing: where")) { try ArgumentParser.parse([], for: subcommand) }
    }

    static let refused: [(words: [String], message: String)] = [
        (["a", "j", "--prioritty", "3"], "unknown option --prioritty; did you mean --priority?"),
        (["a", "j", "--no_intercept"], "unknown option --no_intercept; did you mean --no-intercept?"),
        (["a", "j", "--frobnicate"], "unknown option --frobnicate"),
        (["a", "j", "-x"], "unknown option -x"),
        (["a", "j", "--priority"], "--priority needs a value"),
        (["a", "j", "--priority", "--json"], "--priority needs a value"),
        (["a", "j", "--no-intercept=yes"], "--no-intercept takes no value"),
        (["a", "j", "--priority=1", "--priority=2"], "--priority is given twice"),
        (["a"], "JSON is missing"), ([], "SURFACE is missing"),
        (["a", "k", "j", "x"], "unexpected word \"x\""),
        (["a", "k", "j", "\u{1B}[2J"], "unexpected word \"\u{FFFD}[2J\""),
    ]

    @Test("is refused", arguments: refused.indices)
    func refuses(index: Int) {
        let (words, message) = Self.refused[index]
        do {
            let arguments = try ArgumentParser.parse(words, for: Self.subcommand)
            Issue.record("\(words) was read as \(arguments)")
        } catch {
            #expect(error.code == .usage)
            #expect(error.message.hasPrefix(message), "\(error.message)")
        }
    }

    @Test(
        "Times",
        arguments: [
            ("500ms", 500), ("5s", 5000), ("2m", 120_000), ("1h", 3_600_000), ("1d", 86_400_000), ("1.5s", 1500),
            ("0.25m", 15_000), ("0ms", 0), ("", nil), ("5", nil), ("s", nil), ("-1s", nil), ("5 s", nil), ("1.5ms", nil),
            ("1..5s", nil), (".5s", nil), ("5sec", nil), ("9223372036854775807d", nil), ("1e3s", nil), ("٣s", nil),
        ] as [(String, Int64?)])
    func times(text: String, milliseconds: Int64?) {
        #expect(TimeText.milliseconds(text) == milliseconds)
    }

    @Test("Numbers out of range are refused with the range")
    func numbers() throws {
        let arguments = try ArgumentParser.parse(["a", "j", "--priority", "300", "--ttl=0s"], for: Self.subcommand)
        #expect(throws: CommandFailure(.usage, "--priority takes an integer from 0 to 255, got \"300\"")) {
            try arguments.integer("priority", 0...UInt8.max)
        }
        #expect(throws: CommandFailure.self) { try arguments.duration("ttl") }
        #expect(try arguments.integer("absent", 0...UInt8.max) == nil)
    }
}
