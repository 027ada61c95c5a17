import AlertBusModel

extension Fields {
    func list(
        _ field: Field, limit: Int = .max, _ body: (_ token: Int) throws(WireFault) -> Void
    ) throws(WireFault) {
        let array = try required(self[field], field, "an array")
        do throws(WireFault) {
            try text.forEachElement(array, limit: limit) { (_, token) throws(WireFault) in try body(token) }
        } catch {
            throw error.inside(field.name)
        }
    }

    func revision() throws(WireFault) -> UInt32 {
        UInt32(truncatingIfNeeded: try requiredInteger(.revision, 1...UInt64(UInt32.max)))
    }

    /// One word of a closed list.
    func word<Word>(_ field: Field, _ words: Words<Word>) throws(WireFault) -> Word {
        guard let token = self[field], isString(token) else { throw fault(field, expected: "a string") }
        guard let word = words.find(text, token) else {
            throw WireFault(.unsupported, at: field.name, "\(text.excerpt(token)) is not known to this version")
        }
        return word
    }

    /// A time; one that is no integer of milliseconds is a fault.
    func time(_ field: Field) throws(WireFault) -> Milliseconds? { try milliseconds(field, 0...Milliseconds.max) }

    /// A number that is written as 16 hexadecimal digits.
    func session() throws(WireFault) -> UInt64 {
        let text = try required(string(.session), .session, "16 hexadecimal digits")
        guard text.utf8.count == 16, let value = UInt64(text, radix: 16) else {
            throw fault(.session, expected: "16 hexadecimal digits")
        }
        return value
    }
}
