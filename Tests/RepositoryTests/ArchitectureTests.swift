import Testing

/// What may import what, and what the core must not know.
@Suite struct ArchitectureTests {
    /// Each module may import those with a lower number. A new target gets its place here first.
    static let layers: [String: Int] = [
        "AlertBusModel": 0, "AlertBusMeasure": 0,
        "AlertBusCore": 1, "AlertBusWire": 1, "AlertBusConfiguration": 1, "AlertBusJournal": 1, "ZeroMQ": 1,
        "AlertBusKiosk": 1,
        "AlertBusService": 2, "AlertBusScripts": 2, "AlertBus": 2, "AlertBusSwarm": 2,
        "Command": 3, "CoreBenchmark": 3, "MessageCost": 3, "ServiceBenchmark": 3, "Examples": 3,
    ]

    @Test func `every Swift target has its layer`() {
        let targets = Set(Repository.swift(under: "Sources").map { $0.path.split(separator: "/")[1] }.map(String.init))
        #expect(targets.isSubset(of: Set(Self.layers.keys)), "\(targets.subtracting(Self.layers.keys))")
        #expect(targets.count > 8)
    }

    @Test func `dependencies go one way`() {
        for file in Repository.swift(under: "Sources") {
            let target = String(file.path.split(separator: "/")[1])
            for module in imports(of: file.text) {
                guard let layer = Self.layers[module], let own = Self.layers[target] else { continue }
                #expect(layer < own, "\(file.path) imports \(module)")
            }
        }
    }

    @Test func `the model imports nothing, the core only the model`() {
        for file in Repository.swift(under: "Sources/AlertBusModel") { #expect(imports(of: file.text) == [], "\(file.path)") }
        let core = Repository.swift(under: "Sources/AlertBusCore")
        #expect(core.count > 20)
        for file in core {
            #expect(imports(of: file.text).allSatisfy { $0 == "AlertBusModel" }, "\(file.path)")
        }
    }

    /// Time and chance are inputs; locks, tasks and files belong to others.
    static let unknownToTheCore = [
        "Date", "ContinuousClock", "SuspendingClock", "clock_gettime", "gettimeofday", "DispatchTime", "Task", "Task.sleep",
        "sleep", "usleep", "random", "SystemRandomNumberGenerator", "shuffled", "shuffle", "randomElement", "Mutex", "async",
        "await", "actor", "print", "fopen", "FileManager", "ProcessInfo", "getenv", "@unchecked",
    ]

    @Test func `the core and the model know no clock, no chance and no input or output`() {
        for file in Repository.swift(under: "Sources/AlertBusCore") + Repository.swift(under: "Sources/AlertBusModel") {
            let code = code(of: file.text)
            for word in Self.unknownToTheCore { #expect(!contains(word: word, in: code), "\(file.path) has \(word)") }
        }
    }

    /// The order of a hash table differs from one process to the next.
    private static let tables = ["coOwners", "closers", "loading", "loads", "touched"]

    @Test func `the core walks no hash table without sorting it`() {
        for file in Repository.swift(under: "Sources/AlertBusCore") {
            for line in code(of: file.text).split(separator: "\n") {
                #expect(!Self.walksTable(String(line)), "\(file.path): \(line)")
            }
        }
    }

    private static func walksTable(_ line: String) -> Bool {
        tables.contains { line.contains(" in \($0) ") || line.contains(" in \($0).keys ") || line.contains(" in \($0).values ") }
    }

    @Test func `the detectors fire`() {
        let poisoned = """
            import AlertBusModel
            package import Glibc
            @preconcurrency import struct Foundation.Date
            // import Nothing
            let now = Date()  // Task
            let word = "Mutex"
            let updated = randomised
            """
        #expect(imports(of: poisoned) == ["AlertBusModel", "Glibc", "Foundation"])
        let found = Self.unknownToTheCore.filter { contains(word: $0, in: code(of: poisoned)) }
        #expect(found == ["Date"])
        #expect(Self.walksTable("for id in touched {") && !Self.walksTable("for id in touched.sorted() {"))
        #expect(contains(word: "@unchecked", in: "struct A: @unchecked Sendable"))
        #expect(contains(word: "sleep", in: "Task.sle" + "ep(for: x)"))
    }
}
