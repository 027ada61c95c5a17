/// A value of the right type that no arbiter could work with.
package struct ImpossibleValue: Error, Equatable {
    /// Completes the finding: `found "x" (detail)`; "" when the expectation says enough.
    package var detail = ""

    package init(detail: String = "") { self.detail = detail }
}

/// The definition of one key: its name, what it takes, what it means, and where its value lives.
///
/// The default is what `read` finds in a new `Root`, so that it is written in one place only.
package struct ConfigurationKey<Root>: Sendable {
    package var name: String
    package var form: KeyForm
    /// One line.
    package var meaning: String
    package var isRequired = false
    package var read: @Sendable (Root) -> Literal
    /// The literal has been accepted by `form`.
    package var write: @Sendable (inout Root, Literal) throws(ImpossibleValue) -> Void

    /// The same key seen from a value that contains `Root`.
    package func within<Outer>(_ path: WritableKeyPath<Outer, Root> & Sendable) -> ConfigurationKey<Outer> {
        let read = read
        let write = write
        return ConfigurationKey<Outer>(
            name: name, form: form, meaning: meaning, isRequired: isRequired,
            read: { read($0[keyPath: path]) },
            write: { (root: inout Outer, literal) throws(ImpossibleValue) in
                try write(&root[keyPath: path], literal)
            })
    }
}

extension ConfigurationKey {
    package static func integer<Value: FixedWidthInteger & Sendable>(
        _ name: String, _ path: WritableKeyPath<Root, Value> & Sendable, _ range: ClosedRange<Int64>, _ unit: String,
        _ meaning: String
    ) -> Self {
        ConfigurationKey(
            name: name, form: .integer(range, unit: unit), meaning: meaning,
            read: { .integer(Int64($0[keyPath: path])) },
            write: { (root: inout Root, literal) throws(ImpossibleValue) in
                guard case .integer(let number) = literal, range.contains(number), let value = Value(exactly: number)
                else { throw ImpossibleValue() }
                root[keyPath: path] = value
            })
    }

    package static func boolean(
        _ name: String, _ path: WritableKeyPath<Root, Bool> & Sendable, _ meaning: String
    ) -> Self {
        ConfigurationKey(
            name: name, form: .boolean, meaning: meaning,
            read: { .boolean($0[keyPath: path]) },
            write: { (root: inout Root, literal) throws(ImpossibleValue) in
                guard case .boolean(let value) = literal else { throw ImpossibleValue() }
                root[keyPath: path] = value
            })
    }

    package static func toggle(
        _ name: String, _ path: WritableKeyPath<Root, Bool> & Sendable, _ meaning: String
    ) -> Self {
        ConfigurationKey(
            name: name, form: .toggle, meaning: meaning,
            read: { .boolean($0[keyPath: path]) },
            write: { (root: inout Root, literal) throws(ImpossibleValue) in
                switch literal {
                case .boolean(let value): root[keyPath: path] = value
                case .string("on"): root[keyPath: path] = true
                case .string("off"): root[keyPath: path] = false
                case .string, .integer: throw ImpossibleValue()
                }
            })
    }

    package static func word<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: WritableKeyPath<Root, Value> & Sendable, _ meaning: String
    ) -> Self {
        ConfigurationKey(
            name: name, form: .word(Value.allCases.map(\.rawValue)), meaning: meaning,
            read: { .string($0[keyPath: path].rawValue) },
            write: { (root: inout Root, literal) throws(ImpossibleValue) in
                guard case .string(let text) = literal, let value = Value(rawValue: text) else {
                    throw ImpossibleValue()
                }
                root[keyPath: path] = value
            })
    }

    /// A string that becomes a value of another type.
    package static func text<Value: Sendable>(
        _ name: String, _ path: WritableKeyPath<Root, Value> & Sendable, _ expectation: String, _ meaning: String,
        write format: @escaping @Sendable (Value) -> String,
        read parse: @escaping @Sendable (String) throws(ImpossibleValue) -> Value
    ) -> Self {
        ConfigurationKey(
            name: name, form: .text(expectation), meaning: meaning,
            read: { .string(format($0[keyPath: path])) },
            write: { (root: inout Root, literal) throws(ImpossibleValue) in
                guard case .string(let text) = literal else { throw ImpossibleValue() }
                root[keyPath: path] = try parse(text)
            })
    }
}
