import TestSupport
import Testing

/// The load finds what a server does wrong, and finds nothing when the server does everything right.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct LoadTests {
    @Test(arguments: ["ipc", "tcp"], ["none", "file"])
    func nothingIsFoundInACleanRun(transport: String, journal: String) throws {
        let directory = TemporaryDirectory("load")
        let endpoint = transport == "ipc" ? "ipc://\(directory.path)/requests" : "tcp://127.0.0.1:*"
        let journalPath = journal == "file" ? directory.path + "/journal" : "none"
        let bare = try BareProgram(["--requests", endpoint, "--journal", journalPath])
        defer { bare.stop() }
        for mix in ["update", "show"] {
            let report = try load(bare.requests, ["--mix", mix, "--prefix", mix])
            #expect(report.status == 0)
            #expect(report["clean"] == "true")
            #expect(report["lost"] == "0")
            #expect(report["order_faults"] == "0")
            #expect(report.number("accepted") > 500)
            #expect(report["accepted"] == report["delivered"])
        }
    }

    @Test func theFeedBringsTheSame() throws {
        let directory = TemporaryDirectory("load")
        let feed = "ipc://\(directory.path)/feed"
        let bare = try BareProgram(["--requests", "ipc://\(directory.path)/requests", "--feed", feed])
        defer { bare.stop() }
        let report = try load(bare.requests, ["--feed", feed])
        #expect(report.status == 0)
        #expect(report["delivery"] == "feed")
        #expect(report["accepted"] == report["delivered"])
    }

    @Test(arguments: [("drop", "lost"), ("swap", "order_faults"), ("double", "surplus")])
    func aFaultOnPurposeIsFound(fault: String, counter: String) throws {
        let directory = TemporaryDirectory("load")
        let bare = try BareProgram(["--requests", "ipc://\(directory.path)/requests", "--fault", fault])
        defer { bare.stop() }
        let report = try load(bare.requests, [])
        #expect(report.status == 1)
        #expect(report["clean"] == "false")
        #expect(report.number(counter) > 0)
    }

    @Test func aServerThatIsNotThereIsAnError() throws {
        let directory = TemporaryDirectory("load")
        let report = try load("ipc://\(directory.path)/nobody", [])
        #expect(report.status == 2)
    }

    private func load(_ endpoint: String, _ more: [String]) throws -> Report {
        try Report(
            of: "Load",
            ["--requests", endpoint, "--rate", "8000", "--warmup", "0.1", "--duration", "0.3"] + more)
    }
}

/// What the load printed.
private struct Report {
    let status: Int32
    private let text: String

    init(of program: String, _ arguments: [String]) throws {
        let child = try Child(program, arguments)
        var text = ""
        while let more = child.read() { text += more }
        self.text = text
        status = child.wait()
    }

    /// The value of a field that is a number; -1 when there is none.
    func number(_ name: String) -> Int { self[name].flatMap { Int($0) } ?? -1 }

    /// The value of a field, without quotes.
    subscript(name: String) -> String? {
        guard let found = text.firstRange(of: "\"\(name)\": ") else { return nil }
        let value = text[found.upperBound...].prefix { !",}\n".contains($0) }
        return value.filter { $0 != "\"" }
    }
}
