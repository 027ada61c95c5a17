import AlertBus
import AlertBusModel
import AlertBusWire
import Dispatch
import Synchronization

/// `alertbus raise --wait`: stays connected until the alert has ended.
enum WaitingRaise {
    /// The ends that a person saw, or let pass: the command did what it was for.
    private static let seen: Set<Reason> = [.answered, .dismissed, .timedOut]

    static func run(_ raise: Raise, _ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        let endpoint = try BusAddress.endpoint(arguments)
        let timeout = try arguments.duration("timeout") ?? RequestClient.standardTimeout
        let name = try AlertOptions.producer(arguments) ?? ""
        var options = ClientOptions()
        options.timeout = .milliseconds(timeout)
        // A person waits at the other end; a storm of clients is not to be expected here.
        options.reconnect = .milliseconds(200)
        options.security = try ClientKeys.security(arguments)
        let producer: Producer
        do throws(ClientError) {
            producer = try Producer(requests: endpoint.description, name: name, options: options)
        } catch {
            throw .refused("\(error)")
        }
        defer { producer.close() }
        let box = ResultBox()
        let config = AlertConfig(raise)
        Task {
            do throws(ClientError) {
                let handle = try await producer.raise(raise.surface, raise.key, config)
                Replies.note(watchers: handle.watchers, raise.surface)
                box.fill(.success(try await handle.outcome))
            } catch {
                box.fill(.failure(error))
            }
        }
        do throws(ClientError) {
            return report(try box.wait().get(), arguments)
        } catch {
            throw failure(error)
        }
    }

    private static func report(_ outcome: Outcome, _ arguments: Arguments) -> ExitCode {
        if arguments.wantsJSON {
            var members: [JSONValue.Member] = [.init("reason", .string(outcome.reason.rawValue))]
            if let answer = outcome.answer { members.append(.init("answer", answer)) }
            if !outcome.detail.isEmpty { members.append(.init("detail", .string(outcome.detail))) }
            members.append(.init("instance", .number("\(outcome.instance)")))
            members.append(.init("revision", .number("\(outcome.revision)")))
            StandardOutput.line(JSONValue.object(members).text)
        } else {
            StandardOutput.line(outcome.answer?.text ?? outcome.reason.rawValue)
        }
        if seen.contains(outcome.reason) { return .done }
        let detail = outcome.detail.isEmpty ? "" : " (\(Quoting.safe(outcome.detail)))"
        StandardError.line("alertbus raise: the alert ended: \(outcome.reason.explanation)\(detail)")
        return .refused
    }

    private static func failure(_ error: ClientError) -> CommandFailure {
        switch error {
        case .refused(let refusal): Replies.failure(refusal)
        case .noArbiter: CommandFailure(.noArbiter, error.description)
        case .endpoint, .name, .notAuthorised, .keys, .outboxFull, .ended, .unexpectedReply, .closed, .cancelled, .socket:
            .refused(error.description)
        }
    }

    /// Hands the outcome from the callback to the thread that waits for it.
    private final class ResultBox: Sendable {
        private let result = Mutex<Result<Outcome, ClientError>?>(nil)
        private let filled = DispatchSemaphore(value: 0)

        func fill(_ value: Result<Outcome, ClientError>) {
            result.withLock { $0 = value }
            filled.signal()
        }

        func wait() -> Result<Outcome, ClientError> {
            filled.wait()
            return result.withLock { $0 } ?? .failure(.closed)
        }
    }
}

extension AlertConfig {
    /// The same request in the library's words.
    fileprivate init(_ raise: Raise) {
        let content = raise.content
        self.init(
            priority: Int(content.priority), isIntercept: content.intercept, isActivate: content.activate,
            params: (try? JSONValue(content.params)) ?? [:], lifetime: content.ttl.map { .milliseconds($0) },
            displayTime: content.display.map { .milliseconds($0) },
            shortestShow: content.minShow.map { .milliseconds($0) }, presentation: content.presentation,
            sources: content.sources.map { source in
                DataSource(
                    source.name, request: try? JSONValue(source.request),
                    selected: source.selected.compactMap { try? JSONValue($0) },
                    timeout: .milliseconds(source.timeout), isOptional: source.isOptional)
            })
        loadingTime = content.loadTimeout.map { .milliseconds($0) }
        breaksThrough = content.breakthrough
        closesOnOwnerLoss = content.closesOnOwnerLoss
        updatesExisting = raise.update
    }
}
