import AlertBusWire

/// What a person has typed and chosen in one alert. It outlives updates of the alert.
struct AlertForm: Sendable {
    struct Choice: Sendable {
        /// Ids as JSON.
        var chosen: Set<JSONValue>
        var search = ""
        /// The row that keys act on, an index into those found.
        var cursor = 0
    }

    private(set) var choices: [String: Choice] = [:]
    var text = ""

    /// Takes in what is there to choose from; what was chosen stays chosen.
    mutating func adapt(to face: AlertFace) {
        var adapted: [String: Choice] = [:]
        for list in face.lists {
            let known = Set(list.rows.map(\.id))
            var choice = choices[list.name] ?? Choice(chosen: Self.selected(list))
            choice.chosen.formIntersection(known)
            choice.cursor = max(0, min(choice.cursor, Self.found(list, choice.search).count - 1))
            adapted[list.name] = choice
        }
        choices = adapted
    }

    private static func selected(_ list: AlertFace.List) -> Set<JSONValue> {
        let ids = list.rows.filter(\.wasSelected).map(\.id)
        return Set(list.isMultiple ? ids[...] : ids.prefix(1))
    }

    private static func found(_ list: AlertFace.List, _ search: String) -> [AlertFace.Row] {
        let needle = search.lowercased()
        return needle.isEmpty ? list.rows : list.rows.filter { $0.find.contains(needle) }
    }

    func choice(_ list: AlertFace.List) -> Choice { choices[list.name] ?? Choice(chosen: []) }
    func found(_ list: AlertFace.List) -> [AlertFace.Row] { Self.found(list, choice(list).search) }

    mutating func move(_ list: AlertFace.List, by step: Int) {
        var choice = choice(list)
        choice.cursor = max(0, min(choice.cursor + step, found(list).count - 1))
        choices[list.name] = choice
    }

    mutating func toggle(_ list: AlertFace.List) {
        var choice = choice(list)
        let rows = found(list)
        guard rows.indices.contains(choice.cursor) else { return }
        let id = rows[choice.cursor].id
        if !list.isMultiple {
            choice.chosen = [id]
        } else if choice.chosen.remove(id) == nil {
            choice.chosen.insert(id)
        }
        choices[list.name] = choice
    }

    mutating func search(_ list: AlertFace.List, _ change: (inout String) -> Void) {
        var choice = choice(list)
        let before = found(list)
        change(&choice.search)
        // What was found stays in view when the search is over.
        let row: JSONValue? = choice.search.isEmpty && before.indices.contains(choice.cursor) ? before[choice.cursor].id : nil
        choice.cursor = row.flatMap { id in list.rows.firstIndex { $0.id == id } } ?? 0
        choices[list.name] = choice
    }

    /// What is sent, as the kiosk page sends it: ids in the order of the rows, each exactly as it came.
    func answer(_ face: AlertFace, action: JSONValue) -> JSONValue {
        var members: [JSONValue.Member] = [.init("action", action)]
        if face.input != nil { members.append(.init("text", .string(text))) }
        if !face.lists.isEmpty {
            let selected = face.lists.map { list in
                let chosen = choice(list).chosen
                return JSONValue.Member(list.name, .array(list.rows.map(\.id).filter { chosen.contains($0) }))
            }
            members.append(.init("selected", .object(selected)))
        }
        return .object(members)
    }
}
