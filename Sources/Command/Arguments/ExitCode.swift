/// How a command ends. The numbers are part of the interface: scripts depend on them.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    case refused = 1
    case usage = 2
    case noArbiter = 3
    case faultsFound = 4

    package var meaning: String {
        switch self {
        case .done: "done"
        case .refused: "refused, or something else went wrong; the message says what"
        case .usage: "the command line is wrong"
        case .noArbiter: "no arbiter answered within the timeout"
        case .faultsFound: "a load test found something lost, doubled, out of order or without an end, or worse than before"
        }
    }
}

/// Why a command cannot go on: how it ends, and what a person is told.
package struct CommandFailure: Error, Equatable, Sendable {
    package let code: ExitCode
    /// What happened and what to do; may have several lines, and none when it was told before.
    package let message: String

    package init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }

    package static func usage(_ message: String) -> CommandFailure { CommandFailure(.usage, message) }
    package static func refused(_ message: String) -> CommandFailure { CommandFailure(.refused, message) }
}
