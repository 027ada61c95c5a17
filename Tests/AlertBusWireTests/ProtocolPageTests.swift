import AlertBusModel
import AlertBusWire
import Foundation
import Testing

/// The protocol page is what strangers write clients from, so its examples must be true.
@Suite struct ProtocolPageTests {
    private let page: String
    private let examples: [String]

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/AlertBus/AlertBus.docc/Protocol.md")
        page = try String(contentsOf: file, encoding: .utf8)
        examples = page.components(separatedBy: "```json\n").dropFirst().map {
            $0.components(separatedBy: "\n```")[0]
        }
    }

    /// `update` is a word of both directions; the one to screens carries a whole alert.
    private func isRequest(_ message: JSONValue) -> Bool {
        let op = message["op"]?.string ?? ""
        return RequestOp(rawValue: op) != nil && message["alert"] == nil
    }

    @Test func everyExampleIsAMessage() throws {
        #expect(examples.count > 35)
        let requests = RequestDecoder()
        let answers = ServerMessageDecoder()
        for example in examples {
            let message = try JSONValue(parsing: example)
            if isRequest(message) {
                #expect(throws: Never.self, "\(example)") { try requests.decode(Array(example.utf8)) }
            } else {
                let decoded = try answers.decode(Array(example.utf8))
                if case .unknown(let op) = decoded { Issue.record("the page shows the op \(op), which nobody knows") }
            }
        }
    }

    @Test func everyMessageHasAnExample() throws {
        let messages = try examples.map { try JSONValue(parsing: $0) }
        let asked = Set(messages.filter { isRequest($0) }.compactMap { $0["op"]?.string })
        let answered = Set(messages.filter { !isRequest($0) }.compactMap { $0["op"]?.string })
        #expect(asked == Set(RequestOp.allCases.map(\.rawValue)))
        #expect(answered == Set(ServerOp.allCases.map(\.rawValue)))
    }

    @Test func everyExampleIsWrittenAsTheProgramWritesIt() throws {
        var writer = MessageWriter()
        for example in examples {
            let message = try JSONValue(parsing: example)
            if isRequest(message) { continue }
            writer.removeAll()
            writer.message(try ServerMessageDecoder().decode(Array(example.utf8)))
            #expect(members(try JSONValue(writer.bytes)) == members(message))
        }
    }

    /// The top-level fields in an order of their own, as the order of fields says nothing.
    private func members(_ message: JSONValue) -> [String: JSONValue] {
        var sorted: [String: JSONValue] = [:]
        for member in message.members ?? [] { sorted[member.name] = normal(member.value) }
        return sorted
    }

    private func normal(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            .object(members.map { .init($0.name, normal($0.value)) }.sorted { $0.name < $1.name })
        case .array(let values): .array(values.map(normal))
        case .null, .boolean, .number, .string: value
        }
    }

    @Test func everyReasonIsExplained() {
        for reason in Reason.allCases {
            #expect(page.contains("| `\(reason.rawValue)` |"))
        }
    }

    @Test func theDigestOfTheExampleIsRight() {
        #expect(page.contains("`\(ScreenDigest().text)`"))
    }
}
