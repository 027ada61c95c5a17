import AlertBusModel
import AlertBusWire

/// A client that can ask the arbiter for something and hear the reply.
protocol Commanding: Sendable {
    func submit(
        _ body: Request.Body, receipts: (@Sendable (Receipt?) -> Void)?, _ reply: @escaping CommandCenter.Reply)
}

extension Commanding {
    /// Waits for the reply. It comes in any case: the machine answers for an arbiter that does not.
    func perform(_ body: Request.Body) async throws(ClientError) -> CommandAnswer {
        let result = await withCheckedContinuation { continuation in
            submit(body, receipts: nil) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    func done(_ command: Command) async throws(ClientError) -> Done {
        switch try await perform(.command(command)) {
        case .done(let done): return done
        // An arbiter may answer a change of an alert with its acceptance.
        case .accepted(let accepted, _): return Done(instance: accepted.instance, revision: accepted.revision, count: 1)
        case let other: throw .unexpectedReply("\(other)")
        }
    }
}

/// The checks of names, so that a wrong one fails where it was written.
enum Check {
    static func surface(_ path: String) throws(ClientError) -> String {
        do throws(NameFault) { try Name.checkPath(path) } catch { throw .name(path, error) }
        return path
    }

    static func name(_ name: String) throws(ClientError) -> String {
        do throws(NameFault) { try Name.check(name) } catch { throw .name(name, error) }
        return name
    }

    static func target(_ target: Target) throws(ClientError) -> Target {
        if case .key(let key) = target { _ = try name(key) }
        return target
    }

    static func scope(_ text: String) throws(ClientError) -> SurfaceScope {
        do throws(NameFault) { return try SurfaceScope(text) } catch { throw .name(text, error) }
    }
}
