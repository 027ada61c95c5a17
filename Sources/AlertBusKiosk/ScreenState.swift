/// What is on the screen of each surface, kept so that a page can begin at any moment.
///
/// A value without a clock: `now` is an input, in milliseconds of any monotonic clock.
struct ScreenState {
    enum Link: String {
        case connected, stale, reconnecting
    }

    private struct Alert {
        var instance: UInt64
        var json: [UInt8]
        /// Milliseconds on top since `json` was received, up to `topSince`.
        var topFor: Int64 = 0
        var topSince: Int64?
    }

    private struct Surface {
        var epoch: UInt64
        var seq: UInt64
        var alerts: [Alert] = []
    }

    private let slots: Int
    private var surfaces: [String: Surface]
    /// Surfaces that the parts of an unfinished snapshot have named so far.
    private var named: Set<String> = []
    private(set) var link = Link.reconnecting

    init(surfaces: [String], slots: Int) {
        self.slots = max(1, slots)
        let exact = surfaces.filter { $0.utf8.last != UInt8(ascii: "/") }
        self.surfaces = Dictionary(exact.map { ($0, Surface(epoch: 0, seq: 0)) }) { first, _ in first }
    }

    /// What the pages are to be told about a message.
    enum Effect: Equatable {
        /// Pass this message on.
        case event([UInt8])
        /// Too much has changed: give every page a snapshot.
        case snapshot
        case nothing
    }

    /// Takes in one message of the bus, in order and without holes.
    mutating func apply(_ message: [UInt8], now: Int64) throws(KioskError) -> Effect {
        var op = ""
        do throws(JSONScanner.Fault) {
            var scanner = try JSONScanner(message)
            let members = try scanner.wholeObject()
            op = try scanner.string(in: try Self.member("op", members))
            switch op {
            case "link":
                let state = try scanner.string(in: try Self.member("state", members))
                guard let new = Link(rawValue: state) else {
                    throw JSONScanner.Fault(at: 0, what: "state must be connected, stale or reconnecting")
                }
                link = new
                return .event(Self.oneLine(message))
            case "snapshot":
                try applySnapshot(&scanner, members, now: now)
                return .snapshot
            case "show", "update", "hide":
                try applyChange(op, &scanner, members, now: now)
                return .event(Self.oneLine(message))
            default:
                return .nothing
            }
        } catch {
            throw .badMessage(op: op, fault: "\(error.what) (byte \(error.at))")
        }
    }

    /// Everything, as the message that a page begins with.
    func snapshot(now: Int64) -> [UInt8] {
        var text: [UInt8] = Array("{\"op\":\"snapshot\",\"link\":\"\(link.rawValue)\",\"surfaces\":[".utf8)
        for (index, (name, surface)) in surfaces.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text += "{\"surface\":\(Self.quoted(name)),\"epoch\":\(surface.epoch),\"seq\":\(surface.seq),\"shown\":[".utf8
            for (index, alert) in surface.alerts.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                let onTop = alert.topFor + (alert.topSince.map { now - $0 } ?? 0)
                text += "{\"on_top_ms\":\(onTop),\"alert\":".utf8
                text += alert.json
                text.append(UInt8(ascii: "}"))
            }
            text += "]}".utf8
        }
        text += "]}".utf8
        return text
    }

    // MARK: - Messages

    private mutating func applyChange(
        _ op: String, _ scanner: inout JSONScanner, _ members: [String: Range<Int>], now: Int64
    ) throws(JSONScanner.Fault) {
        let name = try scanner.string(in: try Self.member("surface", members))
        var surface = surfaces[name] ?? Surface(epoch: 0, seq: 0)
        surface.epoch = try scanner.unsigned(in: try Self.member("epoch", members))
        surface.seq = try scanner.unsigned(in: try Self.member("seq", members))
        if op == "hide" {
            let instance = try scanner.unsigned(in: try Self.member("instance", members))
            surface.alerts.removeAll { $0.instance == instance }
        } else {
            let alert = try Self.alert(try Self.member("alert", members), &scanner)
            if let index = surface.alerts.firstIndex(where: { $0.instance == alert.instance }) {
                surface.alerts[index] = alert
            } else {
                surface.alerts.append(alert)
            }
        }
        settle(&surface, now: now)
        surfaces[name] = surface
    }

    private mutating func applySnapshot(
        _ scanner: inout JSONScanner, _ members: [String: Range<Int>], now: Int64
    ) throws(JSONScanner.Fault) {
        let epoch = try scanner.unsigned(in: try Self.member("epoch", members))
        let scope = try scanner.string(in: try Self.member("scope", members))
        for part in try scanner.array(in: try Self.member("surfaces", members)) {
            let fields = try scanner.object(in: part)
            let name = try scanner.string(in: try Self.member("surface", fields))
            var surface = Surface(epoch: epoch, seq: try scanner.unsigned(in: try Self.member("seq", fields)))
            for element in try scanner.array(in: try Self.member("shown", fields)) {
                surface.alerts.append(try Self.alert(element, &scanner))
            }
            settle(&surface, now: now)
            surfaces[name] = surface
            named.insert(name)
        }
        if let last = members["last"], scanner.bytes[last].first != UInt8(ascii: "t") { return }
        // A surface that the arbiter no longer knows has nothing on its screen.
        for name in surfaces.keys where Self.contains(scope, name) && !named.contains(name) {
            surfaces[name] = Surface(epoch: epoch, seq: 0)
        }
        named = []
    }

    /// Runs the clocks of those on top and stops those of the others.
    private func settle(_ surface: inout Surface, now: Int64) {
        let firstOnTop = surface.alerts.count - slots
        for index in surface.alerts.indices {
            if index >= firstOnTop {
                if surface.alerts[index].topSince == nil { surface.alerts[index].topSince = now }
            } else if let since = surface.alerts[index].topSince {
                surface.alerts[index].topFor += now - since
                surface.alerts[index].topSince = nil
            }
        }
    }

    private static func alert(_ range: Range<Int>, _ scanner: inout JSONScanner) throws(JSONScanner.Fault) -> Alert {
        let fields = try scanner.object(in: range)
        let instance = try scanner.unsigned(in: try member("instance", fields))
        return Alert(instance: instance, json: oneLine(Array(scanner.bytes[range])))
    }

    private static func member(
        _ name: String, _ members: [String: Range<Int>]
    ) throws(JSONScanner.Fault) -> Range<Int> {
        guard let found = members[name] else { throw JSONScanner.Fault(at: 0, what: "\"\(name)\" is missing") }
        return found
    }

    private static func contains(_ scope: String, _ surface: String) -> Bool {
        if scope == "/" { return true }
        return scope.utf8.last == UInt8(ascii: "/") ? surface.utf8.starts(with: scope.utf8) : surface == scope
    }

    /// A line break in JSON can only stand between tokens; in an event stream it would end the line.
    private static func oneLine(_ json: [UInt8]) -> [UInt8] {
        json.contains { $0 == 0x0A || $0 == 0x0D } ? json.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 } : json
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
