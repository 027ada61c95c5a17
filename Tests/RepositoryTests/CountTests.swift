import Foundation
import Testing

/// The gate of what a message costs: that it lets pass what is within the budgets, and nothing else. The costs themselves are measured by
/// `Config/test count`.
@Suite struct CountTests {
    private struct Figures: Codable, Equatable {
        struct Cost: Codable, Equatable {
            var instructions: Double
            var allocations: Double
        }

        var machine: String
        var swift: String
        var cost: [String: Cost]
    }

    private let budgets: Figures

    init() throws {
        let path = Repository.root.appending(path: "Config/count-budgets.json")
        budgets = try JSONDecoder().decode(Figures.self, from: Data(contentsOf: path))
    }

    /// Runs the comparison with figures that nobody measured.
    private func compare(_ measured: Figures, with budgets: Figures) throws -> (code: Int32, output: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "count-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, figures) in [("measured.json", measured), ("budgets.json", budgets)] {
            try JSONEncoder().encode(figures).write(to: folder.appending(path: name))
        }
        let process = Process()
        process.executableURL = Repository.root.appending(path: "Config/count")
        process.arguments = ["--measured", folder.path + "/measured.json", "--budgets", folder.path + "/budgets.json"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    /// The committed budgets with one of them changed.
    private func changed(_ kind: String, instructions: Double = 1, allocations: Double = 0) throws -> Figures {
        var figures = budgets
        var cost = try #require(figures.cost[kind])
        cost.instructions = (cost.instructions * instructions).rounded()
        cost.allocations += allocations
        figures.cost[kind] = cost
        return figures
    }

    @Test func `every kind of message has a budget`() {
        let kinds: Set = ["update", "show", "arbiter-update", "arbiter-show", "durable-update", "one-more-screen"]
        #expect(Set(budgets.cost.keys) == kinds)
        for (kind, cost) in budgets.cost { #expect(cost.instructions > 100, "\(kind)") }
    }

    @Test func `what is within its budget passes`() throws {
        for figures in [budgets, try changed("update", instructions: 1.04), try changed("arbiter-show", allocations: 0.4)] {
            let result = try compare(figures, with: budgets)
            #expect(result.code == 0, "\(result.output)")
        }
        let cheaper = try compare(try changed("show", instructions: 0.5), with: budgets)
        #expect(cheaper.code == 0 && cheaper.output.contains("could be lowered"), "\(cheaper.output)")
    }

    @Test func `what costs more fails, each kind by itself`() throws {
        for kind in budgets.cost.keys.sorted() {
            let instructions = try compare(try changed(kind, instructions: 1.06), with: budgets)
            #expect(instructions.code == 1 && instructions.output.contains("too many instructions"), "\(instructions.output)")
            let allocations = try compare(try changed(kind, allocations: 0.6), with: budgets)
            #expect(allocations.code == 1 && allocations.output.contains("too many allocations"), "\(allocations.output)")
            #expect(allocations.output.contains("Config/count --update"))
        }
    }

    @Test func `what was not measured fails, and so does what has no budget`() throws {
        var figures = budgets
        figures.cost["update"] = nil
        #expect(try compare(figures, with: budgets).code == 1)
        #expect(try compare(budgets, with: figures).code == 1)
        figures.cost = [:]
        #expect(try compare(figures, with: budgets).code == 2)
    }
}
