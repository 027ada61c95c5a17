import AlertBusWire
import TestSupport
import Testing

@Suite("simulate")
struct SimulateTests {
    @Test("All scripts of the pop-up manager pass", arguments: Repository.conformance)
    func conformance(file: String) async throws {
        let outcome = try await run(["simulate", file, "--verify"])
        #expect(outcome.code == 0, "\(outcome)")
        #expect(outcome.errors == "120 scripts, 0 differ\n")
        #expect(outcome.output.isEmpty)
    }

    @Test("A script whose expectation is poisoned is found, with its line", arguments: Repository.conformance)
    func poisoned(file: String) async throws {
        let directory = TemporaryDirectory("command")
        var lines = try #require(TextFile.read(file)).split(separator: "\n").map(String.init)
        let poisoned = lines[41].replacing(#", "show", "t0"]"#, with: #", "show", "t9"]"#, maxReplacements: 1)
        #expect(poisoned != lines[41])
        lines[41] = poisoned
        let copy = directory.file("poisoned.jsonl", lines.joined(separator: "\n") + "\n")
        let outcome = try await run(["simulate", copy, "--verify"])
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("\(copy):42: "), "\(outcome)")
        #expect(outcome.errors.hasSuffix("120 scripts, 1 differ\n"))
        #expect(outcome.lines.count == 1)
        let difference = try JSONValue(parsing: outcome.output)["difference"]
        #expect(difference?["expected"]?.array?.last == "t9")
    }

    @Test("One line for each script, from standard input")
    func lines() async throws {
        let script = #"""
            {"name":"a","policy":{"activation_delay_ms":10},"steps":[["show","x",3,true,true],["show","y",-7,true,true],["dismiss"],["wait",50]]}

            {"steps":[["show","x",99999999999999999999,true,true]]}
            """#
        let outcome = try await run(["simulate", "-"], input: script)
        #expect(outcome.code == 0, "\(outcome)")
        #expect(
            outcome.lines == [
                #"{"name":"a","events":[[0,"show","x","raised"],[0,"hide","x","dismissed"],[10,"show","y","dequeued"]]}"#,
                ##"{"name":"#3","events":[[0,"show","x","raised"]]}"##,
            ])
    }

    @Test("Every kind of step does what its request does")
    func steps() async throws {
        let script = #"""
            {"steps":[["raise",{"key":"a","ttl_ms":100}],["raise",{"key":"b","priority":2,"sources":[{"name":"s"}]}],["raise",{"key":"c","producer":"p"}],["update",{"key":"a","params":{}}],["hold"],["wait",100],["loaded","s",[{"id":1}]],["release"],["wait",350],["answer","b",{"selected":{"s":[1]}}],["wait",350],["refresh","c","s"],["withdraw","c"],["clear",true]]}
            """#
        let outcome = try await run(["simulate", "-"], input: script)
        #expect(outcome.code == 0, "\(outcome)")
        #expect(
            outcome.lines == [
                ##"{"name":"#1","events":[[0,"show","a","raised"],[0,"update","a","updated"],[100,"hide","a","expired"],[450,"show","b","dequeued"],[450,"hide","b","answered"],[800,"show","c","dequeued"],[800,"hide","c","cleared"]]}"##
            ])
    }

    static let faults: [(script: String, fault: String)] = [
        ("{", "byte 1: "),
        ("[]", "expected an object"),
        (#"{"steps":{}}"#, "steps: expected an array"),
        (#"{"steps":[["shwo"]]}"#, #"steps/0/0: there is no step "shwo""#),
        (#"{"steps":[["wait",1],["wait"]]}"#, "steps/1: wait takes 1 values, got 0"),
        (#"{"steps":[["wait",-1]]}"#, "steps/0/1: expected milliseconds"),
        (#"{"steps":[["show","a",1.5]]}"#, "steps/0/2: expected an integer, got 1.5"),
        (#"{"steps":[["show","a",1,"yes"]]}"#, "steps/0/intercept: expected true or false"),
        (#"{"steps":[["show",""]]}"#, "steps/0/key: must not be empty"),
        (#"{"steps":[["raise",{"key":"a","surface":"b"}]]}"#, "steps/0/1/surface: leave it out"),
        (#"{"steps":[["loaded","s",[]]]}"#, #"steps/0: no request to the source "s" is open"#),
        (#"{"policy":{"max_bacth":1},"steps":[]}"#, "policy/max_bacth: is no key of a policy; did you mean max_batch?"),
        (#"{"policy":{"slots":0},"steps":[]}"#, "policy/slots: expected an integer from 1 to 64"),
        (#"{"policy":{"order":1},"steps":[]}"#, "policy/order: expected "),
        (#"{"surface":"a//b","steps":[]}"#, "surface: has an empty segment"),
        (#"{"steps":[],"expect":[[0,"shown","a"]]}"#, "expect/0: expected ["),
    ]

    @Test("A fault in a script has its line and place, and the others still run", arguments: faults.indices)
    func fault(index: Int) async throws {
        let (script, fault) = Self.faults[index]
        let outcome = try await run(["simulate", "-"], input: "\n" + script + "\n{\"name\":\"good\",\"steps\":[]}\n")
        #expect(outcome.code == 1)
        #expect(outcome.errors.hasPrefix("-:2: \(fault)"), "\(outcome.errors)")
        #expect(outcome.lines == [#"{"name":"good","events":[]}"#])
    }

    @Test("--verify wants something to compare with")
    func noExpectation() async throws {
        let outcome = try await run(["simulate", "-", "--verify"], input: #"{"steps":[]}"#)
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("-:1: expect: is missing"))
    }

    @Test("--policy takes the place of the script's own, by the script's surface")
    func policy() async throws {
        let directory = TemporaryDirectory("command")
        let file = directory.file(
            "policy.toml",
            "[default_policy]\nactivation_delay_ms = 1\n[[policy]]\nsurfaces = \"lobby/*\"\nactivation_delay_ms = 7\n")
        let steps = #""policy":{"activation_delay_ms":99},"steps":[["show","x"],["show","y"],["dismiss"],["wait",9]]}"#
        let outcome = try await run(
            ["simulate", "-", "--policy", file],
            input: "{\(steps)\n{\"surface\":\"lobby/a\",\(steps)\n")
        #expect(outcome.lines.count == 2, "\(outcome)")
        #expect(outcome.lines.first?.contains(#"[1,"show","y","dequeued"]"#) == true)
        #expect(outcome.lines.last?.contains(#"[7,"show","y","dequeued"]"#) == true)
        let faulty = try await run(["simulate", "-", "--policy", directory.file("f.toml", "[x]\n")])
        #expect(faulty.code == 1)
        #expect(faulty.errors.contains("f.toml:1:"))
    }
}
