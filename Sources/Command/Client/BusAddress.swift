import AlertBusModel
import Glibc
import ZeroMQ

/// Where requests go: `--requests`, else the environment, else the standard address.
enum BusAddress {
    static let standard = "tcp://127.0.0.1:5570"
    static let variable = "ALERTBUS_REQUESTS"

    /// What was said, and by which option or variable; nil when nobody said anything.
    static func given(_ arguments: Arguments) -> (text: String, source: String)? {
        if let text = arguments.text("requests") { return (text, "--requests") }
        if let text = getenv(variable).map({ String(cString: $0) }), !text.isEmpty { return (text, "$" + variable) }
        return nil
    }

    static func endpoint(_ arguments: Arguments) throws(CommandFailure) -> Endpoint {
        guard let (text, source) = given(arguments) else { return .tcp(host: "127.0.0.1", port: 5570) }
        return try parse(text, source: source)
    }

    /// An address to connect to.
    static func parse(_ text: String, source: String) throws(CommandFailure) -> Endpoint {
        do throws(EndpointFault) {
            let endpoint = try Endpoint(text)
            if case .inproc = endpoint {
                throw EndpointFault.unknownTransport(text, transport: "inproc, which does not leave a process,")
            }
            if case .tcp(_, port: 0) = endpoint { throw EndpointFault.badPort(text) }
            return endpoint
        } catch {
            throw .usage("\(source): \(error)")
        }
    }
}

extension CommandFailure {
    static func noArbiter(_ endpoint: Endpoint, _ timeout: Milliseconds) -> CommandFailure {
        CommandFailure(
            .noArbiter,
            "no arbiter answered at \(endpoint) within \(TimeText.text(timeout)). "
                + "Start one with `alertbus arbiter`, or give its address with --requests.")
    }
}
