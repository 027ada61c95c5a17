import AlertBusModel

/// Sets the keys of a policy that does not stand in a configuration file, by the same names and with the same checks.
package enum PolicyValues {
    package enum Value: Equatable, Sendable {
        case integer(Int64)
        case boolean(Bool)
        case string(String)

        fileprivate var literal: Literal {
            switch self {
            case .integer(let number): .integer(number)
            case .boolean(let value): .boolean(value)
            case .string(let text): .string(text)
            }
        }
    }

    /// The names of all keys, in the order of the reference.
    package static var names: [String] { ConfigurationTable.policy.map(\.name) }

    /// - Parameter value: nil stands for a value of a type that no key takes.
    /// - Returns: what is wrong, in words that follow the name of the key; nil when the value was set.
    package static func set(_ name: String, _ value: Value?, in policy: inout Policy) -> String? {
        guard let key = ConfigurationTable.policy.first(where: { $0.name == name }) else {
            let hint = Spelling.nearest(to: name, among: names).map { "; did you mean \($0)?" }
            return "is no key of a policy" + (hint ?? "; expected one of \(names.joined(separator: ", "))")
        }
        guard let literal = value?.literal, key.form.accepts(literal) else {
            return "expected \(key.form.expectation), found \(value?.literal.finding ?? "another type")"
        }
        do {
            try key.write(&policy, literal)
            return nil
        } catch {
            return "expected \(key.form.expectation), found \(literal.finding)"
        }
    }
}
