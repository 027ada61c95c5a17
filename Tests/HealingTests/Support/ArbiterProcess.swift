import AlertBusWire
import Glibc
import TestSupport

/// The real arbiter.
final class ArbiterProcess: Sendable {
    let process: ChildProcess
    let requests: String
    let epoch: Int

    /// - Parameters:
    ///   - requests: with port `*` the system chooses one.
    ///   - journal: `memory`, or the path of a file.
    init(
        requests: String = "tcp://127.0.0.1:*", journal: String = "memory", configuration: String? = nil,
        errors: String? = nil
    ) async throws {
        var words = ["arbiter", "--requests", requests, "--feed", "none", "--journal", journal, "--json"]
        if let configuration { words += ["--config", configuration] }
        process = try ChildProcess("alertbus", words, errors: errors)
        let ready = try JSONValue(parsing: try await process.line())
        guard let address = ready["requests"]?.string, let epoch = ready["epoch"]?.integer else {
            throw Failure("the arbiter says \(ready.text)")
        }
        self.requests = address
        self.epoch = epoch
    }

    var port: UInt16 { UInt16(requests.split(separator: ":").last ?? "") ?? 0 }
}
