import AlertBusModel
import AlertBusWire
import Dispatch
import Synchronization

/// The manager of the pop-ups of one screen: it owns the moments of showing and hiding, never the drawing.
///
///     manager.show(AlertConfig(identifier: "B", priority: 3)) { _ in popUp.show() } onDismiss: { _ in popUp.hide() }
///
/// Any number of managers in any number of processes may share a screen; the arbiter decides between them.
public final class AlertManager: Sendable {
    /// Something that happens to a pop-up.
    public enum Moment: Equatable, Sendable {
        /// Show it, for the first time or again.
        case show
        /// Hide it; it may come back.
        case covered
        /// It is over. If it was on the screen, hide it. Nothing follows.
        case finished(Outcome)
        /// It was never accepted: `reason` says why, such as `duplicate` or `intercepted`. Nothing follows.
        case refused(ClientError)
    }

    /// Why a pop-up leaves the screen.
    public enum Dismissal: Equatable, Sendable {
        /// Hidden this time; it may come back.
        case covered
        /// For good.
        case finished(Outcome)
    }

    public let surface: String
    private let producer: Producer
    private let queue: DispatchQueue
    /// The identifiers in use, with the arbiter's number once it is known.
    private let active = Mutex<[String: UInt64]>([:])

    /// Connects in the background; nothing waits for the arbiter here.
    ///
    /// - Parameters:
    ///   - surface: the screen.
    ///   - name: to whom the identifiers belong. Managers of one name share them; nil makes a name of its own.
    /// - Throws: `endpoint` or `name` for a text that is none, `socket` when the system has no resources left.
    public init(
        surface: String, requests: String = DefaultEndpoint.requests, name: String? = nil,
        options: ClientOptions = ClientOptions()
    ) throws(ClientError) {
        self.surface = try Check.surface(surface)
        queue = options.queue
        producer = try Producer(requests: requests, name: name ?? "manager-\(CommandClient.token())", options: options)
    }

    /// Shows a pop-up when it is its turn. The closures are called one after the other on the callback queue.
    ///
    /// - Parameters:
    ///   - onShow: success each time it has to be shown; a failure, once, if it was refused.
    ///   - onDismiss: each time it has to leave the screen. One that ends before it was ever shown is told as well.
    public func show(
        _ config: AlertConfig, onShow: @escaping @Sendable (Result<Void, ClientError>) -> Void,
        onDismiss: (@Sendable (Dismissal) -> Void)? = nil
    ) {
        moments(of: config) { moment in
            switch moment {
            case .show: onShow(.success(()))
            case .covered: onDismiss?(.covered)
            case .finished(let outcome): onDismiss?(.finished(outcome))
            case .refused(let error): onShow(.failure(error))
            }
        }
    }

    /// The same as a sequence; it finishes after `finished` or `refused`.
    public func moments(of config: AlertConfig) -> AsyncStream<Moment> {
        let (stream, continuation) = AsyncStream.makeStream(of: Moment.self)
        moments(of: config) { moment in
            continuation.yield(moment)
            switch moment {
            case .finished, .refused: continuation.finish()
            case .show, .covered: break
            }
        }
        return stream
    }

    /// Ends the top one of what is displayed, or the one that is named; the next one is activated after the gap.
    ///
    /// - Throws: `refused` with `unknown_alert` when nothing is displayed, `already_ended` when it is over.
    @discardableResult
    public func dismiss(_ identifier: String? = nil) async throws(ClientError) -> Done {
        // By its number where that is known: managers of other names may use the same identifier.
        let instance = identifier.flatMap { name in active.withLock { $0[name] } } ?? 0
        let target: Target = instance > 0 ? .instance(instance) : identifier.map { .key($0) } ?? .top
        return try await producer.client.done(.dismiss(surface: surface, try Check.target(target), revision: nil))
    }

    /// The same without waiting; what comes of it is seen by the pop-up's own closures.
    public func dismiss(_ identifier: String? = nil, onDone: @escaping @Sendable (Result<Done, ClientError>) -> Void) {
        let queue = queue
        Task {
            let result: Result<Done, ClientError>
            do throws(ClientError) { result = .success(try await dismiss(identifier)) } catch { result = .failure(error) }
            queue.async { onDone(result) }
        }
    }

    /// Ends everything that waits, of every manager of the screen. Tells how many ended.
    ///
    /// - Parameter shown: also what is displayed; each of these is hidden.
    @discardableResult
    public func clearCache(shown: Bool = true) async throws(ClientError) -> Int {
        let scope = try Check.scope(surface)
        return try await producer.client.done(.clear(scope, shown: shown)).count
    }

    public var link: LinkState { producer.link }

    public func close() { producer.close() }

    private func moments(of config: AlertConfig, _ tell: @escaping @Sendable (Moment) -> Void) {
        let key = config.identifier
        let isFree = active.withLock { active in
            defer { active[key] = active[key] ?? 0 }
            return active[key] == nil
        }
        guard isFree else {
            // The arbiter takes the same content for a repetition; here it is a second pop-up of that name.
            let refusal = Refusal(
                .duplicate, "A pop-up with the identifier \"\(key)\" waits or is shown. Choose another one, or dismiss it first.")
            return queue.async { tell(.refused(.refused(refusal))) }
        }
        producer.raise(surface, key, config) { [weak self] receipt in
            self?.active.withLock { $0[key] = receipt.instance }
            switch receipt.event {
            case .shown, .resumed: tell(.show)
            case .covered: tell(.covered)
            case .loading, .deferred, .ended: break
            }
        } onCompletion: { [weak self] result in
            self?.active.withLock { $0[key] = nil }
            switch result {
            case .success(let outcome): tell(.finished(outcome))
            case .failure(let error): tell(.refused(error))
            }
        }
    }
}
