import AlertBusScripts
import TestSupport
import Testing

@Suite("The page about scripts")
struct SimulatePageTests {
    static let page = TextFile.read(Repository.root + "/Sources/AlertBus/AlertBus.docc/Simulate.md") ?? ""

    @Test("Its example runs, and gives what the page says")
    func example() async throws {
        let lines = Self.page.split(separator: "\n").map(String.init)
        let script = try #require(lines.first { $0.hasPrefix(#"{"name":"one after the other","policy""#) })
        let printed = try #require(lines.first { $0.hasPrefix(#"{"name":"one after the other","events""#) })
        let outcome = try await run(["simulate", "-"], input: script)
        #expect(outcome.output == printed + "\n")
        #expect(try await run(["simulate", "-", "--verify"], input: script).code == 0)
    }

    @Test("It names every kind of step")
    func kinds() {
        #expect(!StepDecoder.kindNames.isEmpty)
        for kind in StepDecoder.kindNames { #expect(Self.page.contains("`[\"\(kind)\""), "\(kind)") }
    }
}
