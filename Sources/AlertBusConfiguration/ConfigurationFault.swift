/// One thing that is wrong with a configuration: where it is, what was expected there, and what was found.
public struct ConfigurationFault: Error, Equatable, Hashable, Sendable, CustomStringConvertible {
    /// The raw value is the word in JSON.
    public enum Kind: String, CaseIterable, Sendable {
        /// The file cannot be read; `errno` says why.
        case unreadable
        /// The text is not TOML. What follows that place was not looked at.
        case syntax
        case unknownKey = "unknown_key"
        case missingKey = "missing_key"
        case wrongType = "wrong_type"
        /// The type is right, but no arbiter could work with the value.
        case impossibleValue = "impossible_value"
        /// Two values exclude each other.
        case conflict
        /// Two policies have the same pattern.
        case duplicatePattern = "duplicate_pattern"
        /// An earlier policy matches everything that this one could match.
        case unreachablePolicy = "unreachable_policy"
    }

    public var kind: Kind
    /// The file's path, or the command line option that gave the value.
    public var file: String
    /// Nil for a whole file, and for a value from the command line.
    public var position: SourcePosition?
    /// As in `limits.frames` or `policy[0].slots`; "" when the fault is about the whole file.
    public var key: String
    public var expected: String
    public var found: String
    /// The nearest name that would be right; "" when nothing is near.
    public var suggestion: String
    /// The system's error number for `unreadable`, otherwise 0.
    public var errno: Int32

    public init(
        _ kind: Kind, file: String, position: SourcePosition? = nil, key: String = "", expected: String, found: String,
        suggestion: String = "", errno: Int32 = 0
    ) {
        self.kind = kind
        self.file = file
        self.position = position
        self.key = key
        self.expected = expected
        self.found = found
        self.suggestion = suggestion
        self.errno = errno
    }

    /// What happened, without the place.
    public var message: String {
        let hint = suggestion.isEmpty ? "" : "; did you mean \(suggestion)?"
        switch kind {
        case .unreadable: return "cannot be read: \(found)"
        case .syntax: return "not valid TOML: \(found)"
        case .unknownKey: return "unknown key" + (hint.isEmpty ? "; expected \(expected)" : hint)
        case .missingKey: return "missing; expected \(expected)"
        case .wrongType, .impossibleValue, .conflict, .duplicatePattern, .unreachablePolicy:
            return "expected \(expected), found \(found)" + hint
        }
    }

    /// One line for people: `file:line:column: key: message`.
    public var description: String {
        var text = file
        if let position { text += ":\(position.line):\(position.column)" }
        if !key.isEmpty { text += ": \(key)" }
        return text + ": " + message
    }

    /// One JSON object without line breaks. `line` and `column` are 0 when there is no place.
    public var json: String {
        var line = JSONLine()
        line.add("kind", kind.rawValue)
        line.add("file", file)
        line.add("line", position?.line ?? 0)
        line.add("column", position?.column ?? 0)
        line.add("key", key)
        line.add("expected", expected)
        line.add("found", found)
        line.add("suggestion", suggestion)
        line.add("errno", Int(errno))
        line.add("message", message)
        return line.closed
    }
}

/// Everything that is wrong with a configuration, in the order of the file. Never empty.
public struct ConfigurationFaults: Error, Equatable, Sendable, CustomStringConvertible {
    public let faults: [ConfigurationFault]

    package init(_ faults: [ConfigurationFault]) {
        precondition(!faults.isEmpty, "an error needs a fault")
        self.faults = faults
    }

    /// One line for each fault.
    public var description: String { faults.map(\.description).joined(separator: "\n") }

    /// One JSON object in a line for each fault.
    public var jsonLines: String { faults.map(\.json).joined(separator: "\n") }
}
