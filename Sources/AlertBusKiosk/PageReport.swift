/// What a page posts: an action of a person, or how far it has drawn.
enum PageReport: Equatable {
    struct Position: Equatable {
        var surface: String
        var epoch: UInt64
        var seq: UInt64
    }

    case action(KioskAction)
    case drawn([Position])

    init(_ body: [UInt8]) throws(JSONScanner.Fault) {
        var scanner = try JSONScanner(body)
        let members = try scanner.wholeObject()
        func member(_ name: String) throws(JSONScanner.Fault) -> Range<Int> {
            guard let found = members[name] else { throw JSONScanner.Fault(at: 0, what: "\"\(name)\" is missing") }
            return found
        }
        let kind = try scanner.string(in: try member("kind"))
        switch kind {
        case "drawn":
            var positions: [Position] = []
            for element in try scanner.array(in: try member("positions")) {
                let fields = try scanner.object(in: element)
                guard let surface = fields["surface"], let epoch = fields["epoch"], let seq = fields["seq"] else {
                    throw JSONScanner.Fault(at: element.lowerBound, what: "a position has surface, epoch and seq")
                }
                positions.append(
                    Position(
                        surface: try scanner.string(in: surface), epoch: try scanner.unsigned(in: epoch),
                        seq: try scanner.unsigned(in: seq)))
            }
            self = .drawn(positions)
        case "dismiss", "answer":
            var action = KioskAction(
                surface: try scanner.string(in: try member("surface")),
                instance: try scanner.unsigned(in: try member("instance")),
                revision: try scanner.unsigned(in: try member("revision")), kind: .dismiss)
            if kind == "answer" {
                let range = try member("answer")
                _ = try scanner.object(in: range)
                action.kind = .answer(json: body[range].map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
            }
            self = .action(action)
        default:
            throw JSONScanner.Fault(at: 0, what: "kind must be dismiss, answer or drawn")
        }
    }
}
