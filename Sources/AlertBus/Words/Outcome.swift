import AlertBusModel
import AlertBusWire

/// How an alert ended.
public struct Outcome: Equatable, Hashable, Sendable {
    public var reason: Reason
    /// What the person answered; nil when there is no answer.
    public var answer: JSONValue?
    /// More about the reason for people, such as which source failed; "" when there is none.
    public var detail: String
    public var instance: UInt64
    public var revision: UInt32

    public init(
        reason: Reason, answer: JSONValue? = nil, detail: String = "", instance: UInt64 = 0, revision: UInt32 = 0
    ) {
        self.reason = reason
        self.answer = answer
        self.detail = detail
        self.instance = instance
        self.revision = revision
    }

    package init(_ receipt: Receipt) {
        self.init(
            reason: receipt.reason, answer: receipt.answer.isEmpty ? nil : try? JSONValue(receipt.answer),
            detail: receipt.detail, instance: receipt.instance, revision: receipt.revision)
    }

    /// The chosen ids of each source, when the answer names them.
    public var selection: Selection { Selection(answer) }
}

/// The ids that a person chose, for each source of the alert's data.
public struct Selection: Equatable, Hashable, Sendable {
    private var ids: [JSONValue.Member] = []
    /// The whole answer, with whatever else the screen put into it.
    public let answer: JSONValue?

    public init(_ answer: JSONValue?) {
        self.answer = answer
        ids = answer?["selected"]?.members ?? []
    }

    /// The id of the button or the like that ended it, where the screen says so.
    public var action: String? { answer?["action"]?.string }
    /// What the person wrote, where the screen asks for it.
    public var text: String? { answer?["text"]?.string }

    /// Empty for a source that the answer does not name.
    public subscript(_ source: String) -> [JSONValue] { ids.last { $0.name == source }?.value.array ?? [] }

    /// The sources that the answer names.
    public var sources: [String] { ids.map(\.name) }
}
