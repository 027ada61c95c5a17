import AlertBusModel
import AlertBusWire

/// The words of one command line, sorted by the names of options and operands.
package struct Arguments: Sendable {
    package internal(set) var operands: [String: String] = [:]
    /// A switch that is on has one empty value; a repeatable operand has all its words.
    package internal(set) var values: [String: [String]] = [:]

    package func has(_ option: String) -> Bool { values[option] != nil }
    package func text(_ option: String) -> String? { values[option]?.last }
    package func all(_ option: String) -> [String] { values[option] ?? [] }
    package func operand(_ name: String) -> String? { operands[name] }

    /// The operand that the parser made sure of.
    func required(_ name: String) -> String {
        guard let word = operands[name] else { preconditionFailure("\(name) is not a required operand") }
        return word
    }

    var wantsJSON: Bool { has("json") }

    // MARK: Values with a meaning

    package func integer<Value: FixedWidthInteger>(
        _ option: String, _ range: ClosedRange<Value>
    ) throws(CommandFailure) -> Value? {
        guard let text = text(option) else { return nil }
        guard let value = Value(text), range.contains(value) else {
            throw .usage(
                "--\(option) takes an integer from \(range.lowerBound) to \(range.upperBound), got \(Quoting.quoted(text))")
        }
        return value
    }

    package func duration(
        _ option: String, _ range: ClosedRange<Milliseconds> = 1...WireLimits.longestClock
    ) throws(CommandFailure) -> Milliseconds? {
        guard let text = text(option) else { return nil }
        guard let value = TimeText.milliseconds(text) else {
            throw .usage("--\(option) takes a time such as 500ms, 5s, 2m, 1h or 1d, got \(Quoting.quoted(text))")
        }
        guard range.contains(value) else {
            throw .usage("--\(option) takes a time from \(range.lowerBound) ms to \(range.upperBound) ms, got \(text)")
        }
        return value
    }

    /// A JSON value without white space.
    static func json(_ text: String, of name: String) throws(CommandFailure) -> JSONValue {
        do throws(WireFault) {
            return try JSONValue(parsing: text)
        } catch {
            throw .usage("\(name) takes JSON, got \(Quoting.quoted(text)): \(error.message)")
        }
    }

    /// One surface.
    func surface(_ name: String = "SURFACE") throws(CommandFailure) -> String {
        let path = required(name)
        do throws(NameFault) {
            try Name.checkPath(path)
        } catch {
            throw .usage("\(name) \(Quoting.quoted(path)) \(error)")
        }
        return path
    }

    /// A surface, or all below a path.
    func scope(_ name: String = "SCOPE") throws(CommandFailure) -> SurfaceScope? {
        guard let text = operand(name) else { return nil }
        return try Self.scope(text, name)
    }

    static func scope(_ text: String, _ name: String) throws(CommandFailure) -> SurfaceScope {
        do throws(NameFault) {
            return try SurfaceScope(text)
        } catch {
            throw .usage("\(name) \(Quoting.quoted(text)) \(error)")
        }
    }

    static func checked(_ text: String, _ name: String) throws(CommandFailure) -> String {
        do throws(NameFault) {
            try Name.check(text)
        } catch {
            throw .usage("\(name) \(Quoting.quoted(text)) \(error)")
        }
        return text
    }
}
