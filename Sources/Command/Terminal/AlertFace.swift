import AlertBusModel
import AlertBusWire

/// What a producer wrote, as far as a terminal shows it. The fields are those of the kiosk page.
struct AlertFace: Sendable {
    struct Action: Equatable, Sendable {
        /// Nil for a button that only dismisses.
        var id: JSONValue?
        var label: String
        var isPrimary: Bool
    }

    struct Input: Equatable, Sendable {
        var label: String
        var placeholder: String
        var isSecret: Bool
    }

    struct Row: Sendable {
        var id: JSONValue
        var text: String
        /// What a search looks at.
        var find: String
        var wasSelected: Bool
    }

    struct List: Sendable {
        var name: String
        var label: String
        var isMultiple: Bool
        var rows: [Row]
    }

    enum Level: Sendable {
        case high, normal, low

        init(_ priority: UInt8) { self = priority >= 3 ? .high : priority == 2 ? .normal : .low }
    }

    let title: String
    let body: String
    /// From 0 to 1; less than 0 when nobody knows.
    let progress: Double?
    let input: Input?
    let lists: [List]
    let actions: [Action]
    let isDismissible: Bool
    let isBanner: Bool
    let isFull: Bool
    let isSheet: Bool
    let level: Level
    let word: String

    init(_ alert: ShownAlert) {
        let params = (alert.params.isEmpty ? nil : try? JSONValue(alert.params)) ?? [:]
        level = Level(alert.priority)
        let words = ["‼ Urgent", "! Important", "· Notice"]
        let word = words[level == .high ? 0 : level == .normal ? 1 : 2]
        self.word = alert.priority > 3 ? "\(word) \(alert.priority)" : word
        let title = Self.text(params["title"])
        self.title = title.isEmpty ? alert.key : title
        body = Self.text(params["body"])
        progress = Self.progress(params["progress"])
        isDismissible = params["dismissible"]?.boolean ?? true
        isBanner = alert.presentation == "banner"
        isFull = alert.presentation == "over_full_screen"
        isSheet = alert.presentation == "sheet"
        input = Self.input(params["input"])
        lists = alert.data.map { Self.list($0, params) }
        actions = Self.actions(
            params["actions"], needsAnswer: input != nil || !lists.isEmpty, mayDismiss: isDismissible && !isBanner)
    }

    /// What is not a text is shown as JSON.
    static func text(_ value: JSONValue?) -> String {
        switch value {
        case nil, .null: ""
        case .string(let text): text
        case let value?: value.text
        }
    }

    private static func progress(_ value: JSONValue?) -> Double? {
        switch value {
        case nil: nil
        case .number(let text): min(1, max(0, Double(text) ?? 0))
        case .null: -1
        default: 0
        }
    }

    private static func input(_ value: JSONValue?) -> Input? {
        guard let value, value != .null, value != .boolean(false) else { return nil }
        let placeholder = text(value["placeholder"])
        let label = text(value["label"])
        return Input(
            label: label.isEmpty ? (placeholder.isEmpty ? "Answer" : placeholder) : label, placeholder: placeholder,
            isSecret: value["type"]?.string == "password")
    }

    private static func actions(_ value: JSONValue?, needsAnswer: Bool, mayDismiss: Bool) -> [Action] {
        let given = (value?.array ?? []).compactMap { action -> Action? in
            guard let id = action["id"] else { return nil }
            return Action(id: id, label: text(action["label"] ?? id), isPrimary: action["style"]?.string == "primary")
        }
        if !given.isEmpty { return given }
        if needsAnswer { return [Action(id: "ok", label: "OK", isPrimary: true)] }
        return mayDismiss ? [Action(id: nil, label: "OK", isPrimary: true)] : []
    }

    private static func list(_ data: SourceData, _ params: JSONValue) -> List {
        let mode = params["selection"]?.string ?? params["selection"]?[data.name]?.string
        let label = text(params["labels"]?[data.name])
        let selected = Set(data.selected)
        let rows = data.rows.map { row -> Row in
            let json = (try? JSONValue(row.json)) ?? [:]
            let name = text(json["name"] ?? json["label"] ?? json["title"] ?? json["id"])
            let detail = text(json["detail"])
            let shown = detail.isEmpty ? name : "\(name) (\(detail))"
            return Row(
                id: (try? JSONValue(row.id)) ?? .null, text: shown, find: shown.lowercased(),
                wasSelected: selected.contains(row.id))
        }
        let name = data.name.prefix(1).uppercased() + data.name.dropFirst()
        return List(name: data.name, label: label.isEmpty ? name : label, isMultiple: mode != "single", rows: rows)
    }
}
