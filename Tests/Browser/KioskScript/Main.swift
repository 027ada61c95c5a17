import AlertBusKiosk
import Glibc
import Synchronization

/// Runs a kiosk server that is fed from standard input, one message of the bus per line, and reports what it was told on
/// standard output: `{"listening":"http://…"}`, `{"act":{…}}`, `{"drawn":{…}}`, `{"log":"…"}`.
///
/// Beside the messages of the bus a line may be `{"op":"verdict","reason":"already_ended"}`: the reason with which every
/// action is refused from then on, or "" to accept; or `{"op":"statistics"}`. It ends at the end of its input.
@main
struct KioskScript {
    static func main() {
        var address = KioskAddress(host: "127.0.0.1", port: 0)
        var options = KioskOptions()
        var surfaces: [String] = []
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--port": address.port = UInt16(arguments.popFirst() ?? "") ?? 0
            case "--title": options.title = arguments.popFirst() ?? ""
            case "--language": options.language = arguments.popFirst() ?? ""
            case "--slots": options.slots = Int(arguments.popFirst() ?? "") ?? 1
            case "--guard": options.inputGuard = Int(arguments.popFirst() ?? "") ?? 300
            case "--heartbeat": options.heartbeat = Int(arguments.popFirst() ?? "") ?? 2_000
            default: surfaces.append(argument)
            }
        }
        options.log = { report("log", quoted($0)) }
        let bus = ScriptedBus()
        let server = KioskServer(address: address, surfaces: surfaces, bus: bus, options: options)
        do {
            report("listening", quoted("http://\(try server.start())"))
        } catch {
            report("failed", quoted("\(error)"))
            exit(1)
        }
        while let line = readLine() {
            if line.hasPrefix("{\"op\":\"verdict\"") {
                let reason = line.split(separator: "\"", omittingEmptySubsequences: false).dropLast().last.map(String.init) ?? ""
                bus.refuse(with: reason)
                continue
            }
            if line.hasPrefix("{\"op\":\"statistics\"") {
                let now = server.statistics
                report(
                    "statistics",
                    "{\"streams\":\(now.streams),\"bytes\":\(now.bytes),\"resynchronisations\":\(now.resynchronisations)}")
                continue
            }
            do {
                try server.publish(Array(line.utf8))
            } catch {
                report("failed", quoted("\(error)"))
            }
        }
        server.stop()
    }
}

/// Accepts or refuses every action as it was last told.
final class ScriptedBus: KioskBus {
    private let reason = Mutex("")

    func refuse(with reason: String) { self.reason.withLock { $0 = reason } }

    func act(_ action: KioskAction, completion: @escaping @Sendable (KioskVerdict) -> Void) {
        var json = "{\"surface\":\(quoted(action.surface)),\"instance\":\(action.instance),\"revision\":\(action.revision)"
        switch action.kind {
        case .dismiss: json += ",\"kind\":\"dismiss\"}"
        case .answer(let answer): json += ",\"kind\":\"answer\",\"answer\":\(String(decoding: answer, as: UTF8.self))}"
        }
        report("act", json)
        let reason = reason.withLock { $0 }
        completion(reason.isEmpty ? .accepted : .refused(reason: reason, message: "the script says so"))
    }

    func drawn(surface: String, epoch: UInt64, seq: UInt64) {
        report("drawn", "{\"surface\":\(quoted(surface)),\"epoch\":\(epoch),\"seq\":\(seq)}")
    }
}

/// One whole line at once, so that lines of several threads do not mix.
private func report(_ name: String, _ json: String) {
    let line = Array("{\"\(name)\":\(json)}\n".utf8)
    _ = line.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}

private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": result += "\\\(scalar)"
        case _ where scalar.value < 0x20: result += " "
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}
