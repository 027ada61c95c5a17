import AlertBusModel

/// A message with exactly one thing wrong, and what its sender must be told.
struct BadInput: CustomStringConvertible, Sendable {
    var name: String
    var bytes: [UInt8]
    var place: String
    /// The words that the detail must hold.
    var says: String
    var reason: Reason
    /// Whether the refusal can repeat the `ref` of the message, which is "r" in all of them.
    var keepsRef: Bool

    init(
        _ name: String, _ text: String, at place: String, says: String, _ reason: Reason = .malformed,
        keepsRef: Bool = true
    ) {
        self.init(name, bytes: Array(text.utf8), at: place, says: says, reason, keepsRef: keepsRef)
    }

    init(
        _ name: String, bytes: [UInt8], at place: String, says: String, _ reason: Reason = .malformed,
        keepsRef: Bool = true
    ) {
        self.name = name
        self.bytes = bytes
        self.place = place
        self.says = says
        self.reason = reason
        self.keepsRef = keepsRef
    }

    var description: String { name }

    /// A `raise` with these fields added.
    static func raise(
        _ name: String, _ fields: String, at place: String, says: String, _ reason: Reason = .malformed
    ) -> BadInput {
        BadInput(name, raiseText(fields), at: place, says: says, reason)
    }

    static func raiseText(_ fields: String) -> String {
        #"{"v":1,"op":"raise","ref":"r","surface":"s","key":"k",\#(fields)}"#
    }

    /// Where the added fields of a `raise` begin.
    static let added = raiseText("").utf8.count - 1

    /// Any message that is wrong after the fields which every one of them has.
    static func message(
        _ name: String, _ fields: String, at place: String, says: String, _ reason: Reason = .malformed
    ) -> BadInput {
        BadInput(name, #"{"ref":"r","v":1,\#(fields)}"#, at: place, says: says, reason)
    }
}
