import AlertBusModel

/// A line of a transcript that is not a valid command.
struct TranscriptFault: Error, CustomStringConvertible {
    var line: String
    var problem: String

    var description: String { "\"\(line)\": \(problem)" }
}

/// The words of one command: positions first, then `name=value` and flags.
///
/// A word stands alone or after `=`; texts have no spaces.
struct TranscriptWords {
    let line: String
    private(set) var positions: [String] = []
    private var options: [String: String] = [:]
    private var used: Set<String> = []

    init(_ line: String, flags: Set<String> = []) {
        self.line = line
        for word in line.split(separator: " ").map(String.init) {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 {
                options[parts[0]] = parts[1]
            } else if flags.contains(word) && !positions.isEmpty {
                options[word] = ""
            } else {
                positions.append(word)
            }
        }
    }

    func fault(_ problem: String) -> TranscriptFault { TranscriptFault(line: line, problem: problem) }

    mutating func flag(_ name: String) -> Bool { text(name) != nil }

    mutating func text(_ name: String) -> String? {
        used.insert(name)
        return options[name]
    }

    mutating func number<Number: FixedWidthInteger>(_ name: String, _: Number.Type = Number.self) throws -> Number? {
        guard let text = text(name) else { return nil }
        guard let number = Number(text) else { throw fault("\(name) needs a number") }
        return number
    }

    mutating func word<Word: RawRepresentable>(_ name: String, _: Word.Type = Word.self) throws -> Word?
    where Word.RawValue == String {
        guard let text = text(name) else { return nil }
        guard let word = Word(rawValue: text) else { throw fault("\(name) has no value \(text)") }
        return word
    }

    func position(_ index: Int, _ what: String) throws -> String {
        guard index < positions.count else { throw fault("\(what) is missing") }
        return positions[index]
    }

    /// Every option must have been asked for: a misspelt one must not be lost.
    func end() throws {
        for name in options.keys.sorted() where !used.contains(name) { throw fault("there is no option \(name)") }
    }
}

extension TranscriptWords {
    mutating func policy() throws -> Policy {
        var policy = Policy()
        if let value = try word("order", Order.self) { policy.order = value }
        if let value = try word("covered", Covered.self) { policy.covered = value }
        if let value = try word("preempt", Preempt.self) { policy.preempt = value }
        if let value = try number("activation_delay_ms", Milliseconds.self) { policy.activationDelay = value }
        if let value = try number("slots", Int.self) { policy.slots = value }
        if let value = try number("capacity", Int.self) { policy.capacity = value }
        if let value = try word("overflow", Overflow.self) { policy.overflow = value }
        if let value = try number("max_batch", Int.self) { policy.maxBatch = value }
        if let value = try number("min_show_ms", Milliseconds.self) { policy.minShow = value }
        if let value = try number("max_priority", UInt8.self) { policy.maxPriority = value }
        policy.hold = flag("held")
        return policy
    }

    mutating func requester() throws -> Requester {
        Requester(
            session: try number("session") ?? 0, producer: text("producer") ?? "", once: text("once"),
            mayBreakThrough: !flag("may-not-break-through"), topPriority: try number("top-priority") ?? .max)
    }

    mutating func content() throws -> AlertContent {
        var content = AlertContent()
        content.priority = try number("priority") ?? 1
        content.intercept = !flag("no-intercept")
        content.activate = !flag("no-activate")
        content.breakthrough = flag("breakthrough")
        content.closesOnOwnerLoss = flag("closes")
        content.ttl = try number("ttl")
        content.display = try number("display")
        content.minShow = try number("min-show")
        for name in (text("sources") ?? "").split(separator: ",") {
            content.sources.append(Source(name: String(name), isOptional: false))
        }
        return content
    }

    /// `key`, or `#instance`, or nothing for the top one.
    func target(_ index: Int) throws -> Target {
        guard index < positions.count else { return .top }
        guard positions[index].hasPrefix("#") else { return .key(positions[index]) }
        guard let instance = UInt64(positions[index].dropFirst()) else { throw fault("no instance") }
        return .instance(instance)
    }

    func scope(_ index: Int) throws -> SurfaceScope {
        do { return try SurfaceScope(try position(index, "the scope")) } catch { throw fault("\(error)") }
    }
}
