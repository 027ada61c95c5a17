import AlertBusModel
import AlertBusWire
import Dispatch

/// Where `alertbus provide` gets its rows.
protocol RowSource: Sendable {
    /// - Parameter request: what the producer wrote; nil when it wrote nothing.
    /// - Throws: a `RowFault`, whose sentence reaches the producer.
    func rows(_ request: JSONValue?) async throws -> [JSONValue]

    /// Returns when nothing runs any more, after everything was cancelled; does not wait for ever.
    func waitForEnd()
}

/// Why there are no rows, as a sentence.
struct RowFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// - Parameter what: what should be a JSON array.
    static func rows(_ json: [UInt8], of what: String) throws(RowFault) -> [JSONValue] {
        let value: JSONValue
        do throws(WireFault) { value = try JSONValue(json) } catch {
            throw RowFault("\(what) is not JSON: \(error.message)")
        }
        guard let rows = value.array else { throw RowFault("\(what) is JSON, but no array of rows") }
        return rows
    }
}

/// The rows of a file, which may change while it is served.
struct FileRows: RowSource {
    let path: String

    func rows(_ request: JSONValue?) async throws -> [JSONValue] { try read() }
    func waitForEnd() {}

    func read() throws(RowFault) -> [JSONValue] {
        let bytes: [UInt8]
        do throws(CommandFailure) { bytes = try InputFile.read(path) } catch { throw RowFault(error.message) }
        return try RowFault.rows(bytes, of: "the file \(Quoting.safe(path))")
    }
}

/// The rows that a command writes, which is started anew for each request.
struct CommandRows: RowSource {
    let command: String
    let limit: Milliseconds
    /// A thread for each command that runs; the provider bounds their number.
    private let queue = DispatchQueue(label: "alertbus.provide", attributes: .concurrent)
    private let running = DispatchGroup()

    init(command: String, limit: Milliseconds) {
        self.command = command
        self.limit = limit
    }

    func rows(_ request: JSONValue?) async throws -> [JSONValue] {
        let child = ChildCommand(command, input: (request?.bytes ?? Array("null".utf8)) + [UInt8(ascii: "\n")], limit)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async(group: running) {
                    continuation.resume(returning: Result { () throws(RowFault) in try child.run() })
                }
            }
        } onCancel: {
            child.cancel()
        }
        return try RowFault.rows(try result.get(), of: "the command's output")
    }

    func waitForEnd() { _ = running.wait(timeout: .now() + 2) }
}
