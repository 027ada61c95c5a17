import AlertBus
import AlertBusModel
import AlertBusWire
import ZeroMQ

/// `alertbus watch --feed`: an observer.
enum FeedWatch {
    static func run(
        _ address: String, _ scope: SurfaceScope, _ arguments: Arguments
    ) throws(CommandFailure) -> ExitCode {
        let endpoint = try BusAddress.parse(address, source: "--feed")
        let security = try ClientKeys.security(arguments)
        do {
            let socket = try SubscriberSocket(try Context())
            // The mark of an observer that stalls is the feed's business; see the note on heartbeats in the protocol.
            try socket.setReceiveHighWaterMark(0)
            try socket.subscribe(topic(of: scope))
            let door = try Door(socket, endpoint, security)
            try follow(socket, door, scope, arguments.wantsJSON)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw .refused("the connection to \(endpoint) failed: \(error)")
        }
    }

    /// Topics end in a slash, so a surface's topic is also the beginning of those below it.
    private static func topic(of scope: SurfaceScope) -> String {
        scope == .all ? "" : scope.isPrefix ? scope.text : scope.text + "/"
    }

    private static func follow(
        _ socket: SubscriberSocket, _ door: Door, _ scope: SurfaceScope, _ isRaw: Bool
    ) throws -> Never {
        let decoder = ServerMessageDecoder()
        let printer = EventPrinter()
        var known: [UInt64: ShownAlert] = [:]
        while true {
            guard try door.waitToReceive(milliseconds: 60_000) else { continue }
            var frames: [[UInt8]] = []
            var isOpen = true
            while isOpen {
                let frame = try socket.receive()
                isOpen = frame.more
                frames.append(frame.bytes)
            }
            guard frames.count == 2, let surface = surface(of: frames[0]), scope.contains(surface) else { continue }
            if isRaw {
                StandardOutput.line(String(decoding: frames[1], as: UTF8.self))
            } else if case .stream(let message) = try? decoder.decode(frames[1]) {
                print(message, &known, printer)
            }
        }
    }

    private static func surface(of topic: [UInt8]) -> String? {
        topic.last == UInt8(ascii: "/") ? String(decoding: topic.dropLast(), as: UTF8.self) : nil
    }

    private static func print(_ message: StreamMessage, _ known: inout [UInt64: ShownAlert], _ printer: EventPrinter) {
        switch message.change {
        case .show(let alert):
            known[alert.instance] = alert
            printer.printEvent(message.surface, .show, alert, message.reason)
        case .update(let alert):
            known[alert.instance] = alert
            printer.printEvent(message.surface, .update, alert, message.reason)
        case .hide(let key, let instance):
            // An observer that came late did not see it appear.
            let alert = known.removeValue(forKey: instance) ?? ShownAlert(key: key, instance: instance, revision: 0, priority: 0)
            printer.printEvent(message.surface, .hide, alert, message.reason)
        }
    }
}
