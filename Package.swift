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
        // The page that people see, over HTTP.
        .target(
            name: "AlertBusKiosk", dependencies: ["CMicroHTTPD"], resources: [.embedInCode("Page")], swiftSettings: strict),
        // The configuration file.
        library("AlertBusConfiguration", ["AlertBusModel", "CTOML"]),

        .systemLibrary(name: "CZeroMQ", providers: [.apt(["libzmq3-dev"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
        .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "CTOML"),

        tests("AlertBusModelTests", ["AlertBusModel"]),
        tests("AlertBusCoreTests", ["AlertBusCore", "AlertBusModel"]),
        tests("AlertBusWireTests", ["AlertBusWire", "AlertBusModel"]),
        tests("AlertBusJournalTests", ["AlertBusJournal"]),
        tests("ZeroMQTests", ["ZeroMQ"]),
        tests("AlertBusKioskTests", ["AlertBusKiosk"]),
        // Serves the kiosk page with messages from standard input, for the browser tests.
        .executableTarget(
            name: "kiosk-script", dependencies: ["AlertBusKiosk"], path: "Tests/Browser/KioskScript", swiftSettings: strict),
        tests("AlertBusConfigurationTests", ["AlertBusConfiguration", "AlertBusModel"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
