import AlertBusModel
import Glibc
import TestSupport
import Testing

/// The arbiter dies while data is on its way.
@Suite("Restart while loading", .serialized, .timeLimit(.minutes(3)))
struct RestartTests {
    @Test("Loading starts again for what had not come; the alert is shown once, and its outcome reaches the page")
    func restart() async throws {
        let directory = TemporaryDirectory("data")
        let first = try await ArbiterProgram(in: directory, journal: true)
        let log = directory.file("log", "")
        let quick = try await first.provider("regions", "--exec", "echo regions >> \(log); echo '[{\"id\":1}]'")
        let slow = try await first.provider("houses", "--exec", "echo houses >> \(log); sleep 2; echo '[{\"id\":7}]'")
        let page = try first.start(
            "raise", "a", "k", "--source", "houses", "--source", "regions", "--selected", "houses=7", "--wait")
        try await eventually("both to be asked") { directory.text("log").split(separator: "\n").count == 2 }
        // The quick one's answer is in the journal when the arbiter dies, as a later command is answered.
        try await eventually("the first answer") {
            try await first.run("why", "a", "k").output.contains("on the way: houses.")
        }
        _ = try await first.run("raise", "b", "later")
        let screen = try Program("alertbus", ["watch", "a"], requests: first.requests)
        first.program.send(SIGKILL)
        #expect(try await first.program.wait() == 128 + SIGKILL)
        let second = try await ArbiterProgram(in: directory, journal: true)
        try await second.waitForState("k", "loading")
        try await screen.waitForOutput("show")
        let asked = directory.text("log").split(separator: "\n")
        #expect(asked.filter { $0 == "houses" }.count == 2)
        #expect(asked.filter { $0 == "regions" }.count == 1)
        _ = try await second.run("answer", "a", "k", #"{"selected":{"houses":[7],"regions":[1]}}"#)
        #expect(try await page.wait() == 0)
        #expect(page.output == #"{"selected":{"houses":[7],"regions":[1]}}"# + "\n")
        try await screen.waitForOutput("hide")
        #expect(screen.output.components(separatedBy: " show ").count == 2, "\(screen.output)")
        withExtendedLifetime((quick, slow)) {}
    }
}
