// swift-tools-version: 6.2
import PackageDescription

// One direction of dependency: Model <- Core <- (Wire, Journal, ZeroMQ) <- Service and clients <- the command.
// Targets named C… are system libraries or shims of a few lines for what Swift cannot import by itself.

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

// A program in C that talks to libzmq.
func program(_ name: String) -> Target {
    .executableTarget(
        name: name, cSettings: [.define("_GNU_SOURCE"), .treatAllWarnings(as: .error)],
        linkerSettings: [.linkedLibrary("zmq")])
}

let package = Package(
    name: "AlertBus",
    products: [
        .executable(name: "alertbus", targets: ["Command"]),
        .library(name: "AlertBus", targets: ["AlertBus"]),
    ],
    targets: [
        // Words, and the rules' vocabulary. Imports nothing.
        library("AlertBusModel"),
        // The state machine that decides. Imports only the words.
        library("AlertBusCore", ["AlertBusModel"]),
        // Messages to and from JSON.
        library("AlertBusWire", ["AlertBusModel", "CSimdjson"]),
        // What makes accepted commands survive.
        library("AlertBusJournal", ["CSQLite", "CLinux"]),
        // Sockets, messages and errors of libzmq.
        library("ZeroMQ", ["CZeroMQ", "CLinux"]),
        // The page that people see, over HTTP.
        .target(
            name: "AlertBusKiosk", dependencies: ["CMicroHTTPD"], resources: [.embedInCode("Page")], swiftSettings: strict),
        // The configuration file.
        library("AlertBusConfiguration", ["AlertBusModel", "CTOML"]),

        // The arbiter as a service.
        library(
            "AlertBusService",
            [
                "AlertBusModel", "AlertBusCore", "AlertBusWire", "AlertBusJournal", "AlertBusConfiguration", "ZeroMQ",
            ]),

        // Scripts of inputs on a virtual clock.
        library("AlertBusScripts", ["AlertBusModel", "AlertBusCore", "AlertBusWire", "AlertBusConfiguration"]),
        // What a load test measures, and the reports made from it. Imports nothing of the project.
        .target(name: "AlertBusMeasure", resources: [.embedInCode("Page/Style")], swiftSettings: strict),
        // The library for programs: producers, screens, providers, operators.
        library("AlertBus", ["AlertBusModel", "AlertBusWire", "ZeroMQ"]),

        // Load tests: many producers, screens and people in one thread, and the checks of what they see.
        library(
            "AlertBusSwarm",
            ["AlertBusModel", "AlertBusWire", "AlertBusConfiguration", "AlertBusMeasure", "ZeroMQ", "CLinux"]),

        .executableTarget(
            name: "Command",
            dependencies: [
                "AlertBus", "AlertBusModel", "AlertBusWire", "AlertBusJournal", "AlertBusConfiguration", "AlertBusScripts",
                "AlertBusService", "AlertBusKiosk", "AlertBusMeasure", "AlertBusSwarm", "CJemalloc", "CLinux", "CNcurses",
                "ZeroMQ",
            ],
            swiftSettings: strict),

        // A filter that owns its data, in processes; the documentation walks through it.
        .executableTarget(
            name: "filter-example", dependencies: ["AlertBus"], path: "Sources/Examples/FilterExample",
            swiftSettings: strict),

        // The core alone: steps with few and with very many waiting alerts, and their memory.
        .executableTarget(
            name: "CoreBenchmark", dependencies: ["AlertBusCore", "AlertBusModel"], swiftSettings: strict),

        // A whole arbiter in the situations that people ask about: a late joiner, a restart, a flood, nothing to do.
        .executableTarget(name: "ServiceBenchmark", dependencies: ["ZeroMQ"], swiftSettings: strict),

        // What one message costs, for a profiler that counts.
        .executableTarget(
            name: "MessageCost",
            dependencies: [
                "AlertBusCore", "AlertBusModel", "AlertBusWire", "AlertBusJournal", "AlertBusConfiguration", "AlertBusService",
                "ZeroMQ",
            ],
            swiftSettings: strict),

        // Small programs to begin with.
        .executableTarget(
            name: "producer-example", dependencies: ["AlertBus"], path: "Sources/Examples/ProducerExample",
            swiftSettings: strict),
        .executableTarget(
            name: "subscriber-example", dependencies: ["AlertBus"], path: "Sources/Examples/SubscriberExample",
            swiftSettings: strict),

        .systemLibrary(name: "CZeroMQ", providers: [.apt(["libzmq3-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CJemalloc", providers: [.apt(["libjemalloc-dev"])]),
        .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
        .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "CTOML"),

        // The benchmark: the floor that the arbiter is measured against, and the load for both. See Config/benchmark.
        program("Bare"),
        program("Load"),

        // What tests of several parts need: programs beside the bundle, directories, waiting, chance, threads, a terminal.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        tests("AlertBusModelTests", ["AlertBusModel"]),
        .testTarget(
            name: "AlertBusCoreTests", dependencies: ["AlertBusCore", "AlertBusModel", "CoreOracle", "TestSupport"],
            exclude: ["Transcripts"], swiftSettings: strict),
        // A second, deliberately simple model of the core, written from the rules alone, and random runs against it.
        .target(
            name: "CoreOracle", dependencies: ["AlertBusModel", "TestSupport"], path: "Tests/CoreOracle", swiftSettings: strict),
        tests("CoreOracleTests", ["CoreOracle", "AlertBusModel"]),
        // The repository's own rules: what may import what, what must be written down, what must not be in any file.
        tests("RepositoryTests", ["AlertBusModel"]),
        tests("AlertBusWireTests", ["AlertBusWire", "AlertBusModel", "TestSupport"]),
        tests(
            "AlertBusJournalTests", ["AlertBusJournal", "AlertBusJournalTestSupport", "CSQLite", "JournalCrasher", "TestSupport"]),
        // Stores and file systems that fail on request.
        .target(
            name: "AlertBusJournalTestSupport", dependencies: ["AlertBusJournal", "CSQLite"],
            path: "Tests/AlertBusJournalTestSupport", swiftSettings: strict),
        // Appends until it is killed, or measures.
        .executableTarget(
            name: "JournalCrasher", dependencies: ["AlertBusJournal"], path: "Tests/JournalCrasher", swiftSettings: strict),
        tests(
            "DurabilityTests",
            [
                "AlertBus", "AlertBusModel", "AlertBusCore", "AlertBusWire", "AlertBusConfiguration", "AlertBusJournal",
                "AlertBusJournalTestSupport", "AlertBusService", "CSQLite", "Command", "TestSupport", "ZeroMQ",
            ]),
        tests("ZeroMQTests", ["ZeroMQ", "TestSupport"]),
        tests("AlertBusMeasureTests", ["AlertBusMeasure", "TestSupport"]),
        tests(
            "AlertBusTests",
            [
                "AlertBus", "AlertBusModel", "AlertBusCore", "AlertBusWire", "AlertBusConfiguration",
                "AlertBusService", "TestSupport", "ZeroMQ",
            ]),
        .testTarget(
            name: "CommandTests",
            dependencies: ["Command", "AlertBus", "AlertBusScripts", "AlertBusModel", "AlertBusWire", "TestSupport", "ZeroMQ"],
            swiftSettings: strict),
        .testTarget(
            name: "AlertBusConfigurationTests", dependencies: ["AlertBusConfiguration", "AlertBusModel"],
            exclude: ["Fixtures"], swiftSettings: strict),
        tests("AlertBusKioskTests", ["AlertBusKiosk"]),
        // Serves the kiosk page with messages from standard input, for the browser tests.
        .executableTarget(
            name: "kiosk-script", dependencies: ["AlertBusKiosk"], path: "Tests/Browser/KioskScript", swiftSettings: strict),
        // Alerts that load their own data, with real processes and with peers that misbehave.
        tests(
            "DataTests",
            [
                "AlertBus", "AlertBusModel", "AlertBusCore", "AlertBusWire", "AlertBusConfiguration", "AlertBusService",
                "ZeroMQ", "Command", "TestSupport", "filter-example",
            ]),
        tests("LoadTests", ["TestSupport"]),
        // The arbiter among hostile peers.
        .testTarget(
            name: "SecurityTests",
            dependencies: [
                "Command", "AlertBusService", "AlertBusConfiguration", "AlertBusWire", "AlertBusModel", "TestSupport", "ZeroMQ",
            ],
            swiftSettings: strict),
        // Everything at once on a simulated clock, for minutes in the tests and for hours by Config/soak.
        .target(
            name: "FullMix",
            dependencies: [
                "AlertBus", "AlertBusModel", "AlertBusCore", "AlertBusWire", "AlertBusConfiguration", "AlertBusService",
                "CLinux", "CoreOracle", "TestSupport", "ZeroMQ",
            ],
            path: "Tests/FullMix", swiftSettings: strict),
        .executableTarget(name: "FullMixRun", dependencies: ["FullMix"], path: "Tests/FullMixRun", swiftSettings: strict),
        tests("FullMixTests", ["FullMix"]),
        // The load test, by itself and with real arbiters, and with one that loses, swaps and doubles messages.
        .testTarget(
            name: "SwarmTests",
            dependencies: [
                "AlertBusConfiguration", "AlertBusMeasure", "AlertBusModel", "AlertBusSwarm", "AlertBusWire", "Command",
                "TestSupport",
                "ZeroMQ",
            ],
            swiftSettings: strict),
        // Healing begin
        // Losses, restarts and stalls with real processes: see "It must show" of the story.
        .testTarget(
            name: "HealingTests",
            dependencies: [
                "AlertBus", "AlertBusModel", "AlertBusWire", "AlertBusService", "ZeroMQ", "Command", "HealingSupport",
                "TestSupport",
            ],
            swiftSettings: strict),
        // Screens in a process of their own, which say what they have drawn.
        .executableTarget(
            name: "HealingSupport", dependencies: ["AlertBus", "AlertBusWire"], path: "Tests/HealingSupport",
            swiftSettings: strict),
        // Healing end
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// Programs for the fuzzer, which brings their main function: only where Config/fuzz builds them.
if Context.environment["ALERTBUS_FUZZ"] != nil {
    for (name, dependencies) in [
        ("Decoder", ["AlertBusWire", "AlertBusModel"]), ("Core", ["AlertBusCore", "AlertBusModel"]),
    ] {
        package.targets.append(
            .executableTarget(
                name: "Fuzz\(name)", dependencies: dependencies.map { .target(name: $0) }, path: "Tests/Fuzz/\(name)",
                swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
    }
}
