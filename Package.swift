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
    targets: [
        // Words, and the rules' vocabulary. Imports nothing.
        library("AlertBusModel"),
        // The state machine that decides. Imports only the words.
        library("AlertBusCore", ["AlertBusModel"]),
        // Messages to and from JSON.
        library("AlertBusWire", ["AlertBusModel", "CSimdjson"]),
        // What makes accepted commands survive.
        library("AlertBusJournal", ["CSQLite"]),
        // Sockets, messages and errors of libzmq.
        library("ZeroMQ", ["CZeroMQ"]),
        // The configuration file.
        library("AlertBusConfiguration", ["AlertBusModel", "CTOML"]),

        .systemLibrary(name: "CZeroMQ", providers: [.apt(["libzmq3-dev"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "CTOML"),

        // The benchmark: the floor that the arbiter is measured against, and the load for both. See Config/benchmark.
        program("Bare"),
        program("Load"),

        tests("AlertBusModelTests", ["AlertBusModel"]),
        tests("AlertBusCoreTests", ["AlertBusCore", "AlertBusModel"]),
        tests("AlertBusWireTests", ["AlertBusWire", "AlertBusModel"]),
        tests("AlertBusJournalTests", ["AlertBusJournal"]),
        tests("ZeroMQTests", ["ZeroMQ"]),
        tests("AlertBusConfigurationTests", ["AlertBusConfiguration", "AlertBusModel"]),
        tests("LoadTests", []),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
