import AlertBusModel

extension JSONText {
    /// The values of the array that begins at a token.
    /// - Throws: `over_limit` when there are more than `limit`, and what `body` throws.
    func forEachElement(
        _ array: Int, limit: Int = WireLimits.elements, _ body: (_ index: Int, _ token: Int) throws(WireFault) -> Void
    ) throws(WireFault) {
        if first(array) != UInt8(ascii: "[") {
            throw WireFault(.malformed, at: "", "expected an array, got \(excerpt(array))")
        }
        var token = array + 1
        var index = 0
        let end = last(array)
        while token < end {
            if index == limit { throw WireFault(.overLimit, at: "", "the array has more than \(limit) entries") }
            do throws(WireFault) {
                try body(index, token)
            } catch {
                throw error.inside("\(index)")
            }
            index += 1
            token = last(token) + 2
        }
    }

    /// The names and values of the object that begins at a token.
    func forEachMember(
        _ object: Int, _ body: (_ name: Int, _ value: Int) throws(WireFault) -> Void
    ) throws(WireFault) {
        if first(object) != UInt8(ascii: "{") {
            throw WireFault(.malformed, at: "", "expected an object, got \(excerpt(object))")
        }
        var name = object + 1
        let end = last(object)
        while name < end {
            try body(name, name + 2)
            name = last(name + 2) + 2
        }
    }

    /// Whether a field's name is this word.
    func isNamed(_ token: Int, _ word: StaticString) -> Bool {
        if isEscaped(token) { return string(token) == word.description }
        let start = start(token) + 1
        let name = UnsafeBufferPointer(start: bytes + start, count: end(token) - 1 - start)
        return name.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    /// An id as it is compared: a number as it is written, a string with no more escapes than it needs.
    func id(_ token: Int) throws(WireFault) -> [UInt8] {
        let byte = first(token)
        guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "-") || JSONGrammar.isDigit(byte),
            end(token) - start(token) <= WireLimits.idBytes
        else {
            throw WireFault(
                .malformed, at: "",
                "expected a number or a string of at most \(WireLimits.idBytes) bytes, got \(excerpt(token))")
        }
        if !isEscaped(token) { return minified(token) }
        var writer = JSONWriter()
        writer.string(string(token))
        return writer.bytes
    }

    func ids(_ array: Int) throws(WireFault) -> [[UInt8]] {
        var ids: [[UInt8]] = []
        try forEachElement(array) { (_, token) throws(WireFault) in ids.append(try id(token)) }
        return ids
    }
}
