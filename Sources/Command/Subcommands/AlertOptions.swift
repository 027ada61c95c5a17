import AlertBusModel
import AlertBusWire

/// The options that say what an alert is, shared by `raise` and `update`.
enum AlertOptions {
    static let content: [OptionDefinition] = [
        .option("title", "TEXT", "Its title"),
        .option("body", "TEXT", "Its text"),
        .option("icon", "NAME", "Its icon, a name that the screen knows"),
        .option("action", "ID=LABEL", "A button; the answer is {\"action\":ID} on a screen that draws it", repeatable: true),
        .option("params", "JSON", "An object for the screen; --title, --body, --icon and --action are put into it"),
        .option("presentation", "KIND", "A hint such as modal, banner, sheet or over_full_screen"),
    ]

    /// The object that `params` carries, without white space; nil when no option says anything about it.
    static func params(_ arguments: Arguments) throws(CommandFailure) -> [UInt8]? {
        var members: [JSONValue.Member] = []
        var isGiven = false
        if let text = arguments.text("params") {
            guard let given = try Arguments.json(text, of: "--params").members else {
                throw .usage("--params takes a JSON object, got \(Quoting.quoted(text))")
            }
            members = given
            isGiven = true
        }
        func set(_ name: String, _ value: JSONValue) {
            members.removeAll { $0.name == name }
            members.append(.init(name, value))
            isGiven = true
        }
        for name in ["title", "body", "icon"] {
            if let text = arguments.text(name) { set(name, .string(text)) }
        }
        if arguments.has("action") { set("actions", .array(arguments.all("action").map(action))) }
        return isGiven ? JSONValue.object(members).bytes : nil
    }

    /// `ok=Fine` or just `ok`.
    private static func action(_ text: String) -> JSONValue {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return .object([.init("id", .string(parts[0])), .init("label", .string(parts.last ?? parts[0]))])
    }

    static func presentation(_ arguments: Arguments) throws(CommandFailure) -> String? {
        guard let text = arguments.text("presentation") else { return nil }
        return try Arguments.checked(text, "--presentation")
    }

    static func producer(_ arguments: Arguments) throws(CommandFailure) -> String? {
        guard let text = arguments.text("producer"), !text.isEmpty else { return nil }
        return try Arguments.checked(text, "--producer")
    }
}
