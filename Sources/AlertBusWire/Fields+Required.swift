import AlertBusModel

extension Fields {
    func required<Value>(_ value: Value?, _ field: Field, _ expected: String) throws(WireFault) -> Value {
        guard let value else { throw fault(field, expected: expected) }
        return value
    }

    func requiredName(_ field: Field) throws(WireFault) -> String {
        try required(name(field), field, "a string")
    }

    func requiredInteger(_ field: Field, _ range: ClosedRange<UInt64> = 0...UInt64.max) throws(WireFault) -> UInt64 {
        try required(integer(field, range), field, "an integer")
    }

    /// The path of one surface.
    func surface() throws(WireFault) -> String {
        guard let token = self[.surface], isString(token) else { throw fault(.surface, expected: "a surface path") }
        let start = text.start(token) + 1
        return try surfaces.name(text.bytes + start, text.end(token) - 1 - start) { () throws(WireFault) in
            let value = text.string(token)
            do throws(NameFault) {
                try Name.checkPath(value)
            } catch {
                throw WireFault(.malformed, at: Field.surface.name, "\(error)")
            }
            return value
        }
    }

    func scope(_ field: Field = .surface) throws(WireFault) -> SurfaceScope {
        let value = try required(string(field), field, "a surface path, or a path with a slash at its end")
        do throws(NameFault) {
            return try SurfaceScope(value)
        } catch {
            throw WireFault(.malformed, at: field.name, "\(error)")
        }
    }
}
