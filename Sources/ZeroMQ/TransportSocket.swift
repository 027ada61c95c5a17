import CZeroMQ

/// A socket that binds and connects: every role but the monitor.
public class TransportSocket: Socket {
    /// Listens on an endpoint.
    ///
    /// An ipc file that nobody answers is removed first, and one that somebody answers, or that is no socket, is
    /// refused: libzmq alone would silently take it over.
    ///
    /// - Parameter fileMode: for ipc, the permissions of the socket file after the bind; nil leaves what umask gives.
    /// - Throws: `BindError` with the endpoint, the cause and what to do.
    public final func bind(_ endpoint: Endpoint, fileMode: UInt32? = nil) throws(BindError) {
        let file = IPCFile(endpoint)
        do throws(EndpointFault) { try file?.prepareForBind() } catch { throw .endpoint(error) }
        let text = endpoint.bindText
        if retryingInterrupts({ zmq_bind(handle, text) }) != 0 { throw .library(.last("zmq_bind", text)) }
        guard let file, let fileMode else { return }
        do throws(ZMQError) {
            try file.setMode(fileMode)
        } catch {
            // A socket that more people may reach than was asked for must not stay open.
            _ = retryingInterrupts { zmq_unbind(handle, text) }
            throw .library(error)
        }
    }

    /// Stops listening; connections that exist stay. The endpoint is the one that `lastEndpoint()` tells after the bind.
    public final func unbind(_ endpoint: Endpoint) throws(ZMQError) {
        let text = endpoint.bindText
        if retryingInterrupts({ zmq_unbind(handle, text) }) != 0 { throw .last("zmq_unbind", text) }
    }

    /// Connects in the background and again whenever the connection is lost.
    public final func connect(_ endpoint: Endpoint) throws(ZMQError) {
        let text = endpoint.description
        if retryingInterrupts({ zmq_connect(handle, text) }) != 0 { throw .last("zmq_connect", text) }
    }

    /// Ends the connection, and drops what was queued for it.
    public final func disconnect(_ endpoint: Endpoint) throws(ZMQError) {
        let text = endpoint.description
        if retryingInterrupts({ zmq_disconnect(handle, text) }) != 0 { throw .last("zmq_disconnect", text) }
    }

    /// The endpoint of the last bind or connect, with the port that the system chose.
    public final func boundEndpoint() throws(BindError) -> Endpoint {
        let text: String
        do throws(ZMQError) { text = try lastEndpoint() } catch { throw .library(error) }
        do throws(EndpointFault) { return try Endpoint(text) } catch { throw .endpoint(error) }
    }
}

/// Why a bind failed: before libzmq was asked, or by it.
public enum BindError: Error, Equatable, Sendable, CustomStringConvertible {
    case endpoint(EndpointFault)
    case library(ZMQError)

    public var description: String {
        switch self {
        case .endpoint(let fault): fault.description
        case .library(let error): error.description
        }
    }
}
