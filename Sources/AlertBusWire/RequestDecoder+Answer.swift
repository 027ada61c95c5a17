import AlertBusModel

extension RequestDecoder {
    func revision() throws(WireFault) -> UInt32? {
        try fields.integer(.revision, 1...UInt64(UInt32.max)).map(UInt32.init(truncatingIfNeeded:))
    }

    /// By key or by instance; the top one when there is neither.
    func target() throws(WireFault) -> Target {
        let instance = try fields.integer(.instance, 1...UInt64.max)
        guard let key = try fields.name(.key) else { return instance.map(Target.instance) ?? .top }
        if instance != nil {
            throw WireFault(.malformed, at: Field.instance.name, "expected a key or an instance, got both")
        }
        return .key(key)
    }

    func answer() throws(WireFault) -> Answer {
        guard let token = fields[.answer] else { throw fields.fault(.answer, expected: "any JSON value") }
        var answer = Answer(json: text.minified(token))
        guard text.first(token) == UInt8(ascii: "{") else { return answer }
        inner.collect(token)
        guard let selected = inner[.selected], text.first(selected) == UInt8(ascii: "{") else { return answer }
        try text.forEachMember(selected) { (name, value) throws(WireFault) in
            let source = text.string(name)
            // Each one is compared with all before it, so there must not be many.
            if answer.chosen.count == WireLimits.sources {
                throw WireFault(
                    .overLimit, at: "answer/selected", "the object has more than \(WireLimits.sources) fields")
            }
            do throws(WireFault) {
                let choice = Answer.Choice(source: source, ids: try text.ids(value))
                // As everywhere, the last one of two counts.
                answer.chosen.removeAll { $0.source == source }
                answer.chosen.append(choice)
            } catch {
                throw error.inside("answer/selected/\(source)")
            }
        }
        return answer
    }

    func loaded() throws(WireFault) -> Request.Body {
        let load = try fields.requiredInteger(.load)
        guard let token = fields[.rows] else {
            let message = try fields.required(try fields.string(.error), .rows, "an array, or the field error")
            if message.utf8.count > WireLimits.errorBytes {
                throw fields.fault(.error, expected: "a string of at most \(WireLimits.errorBytes) bytes")
            }
            return .loadFailed(load: load, message: message)
        }
        if fields[.error] != nil {
            throw WireFault(.malformed, at: Field.error.name, "expected rows or an error, got both")
        }
        var rows: [Row] = []
        var ids: Set<[UInt8]> = []
        do throws(WireFault) {
            try text.forEachElement(token) { (_, element) throws(WireFault) in
                let row = try row(element)
                if !ids.insert(row.id).inserted {
                    throw WireFault(.malformed, at: "id", "another row has the same id")
                }
                rows.append(row)
            }
        } catch {
            throw error.inside(Field.rows.name)
        }
        return .loaded(load: load, rows: rows)
    }

    private func row(_ token: Int) throws(WireFault) -> Row {
        var id: [UInt8]?
        try text.forEachMember(token) { (name, value) throws(WireFault) in
            if text.isNamed(name, "id") {
                do throws(WireFault) {
                    id = try text.id(value)
                } catch {
                    throw error.inside("id")
                }
            } else if text.isNamed(name, "selected") {
                throw WireFault(
                    .malformed, at: "selected", "the arbiter marks what is selected; leave the field out")
            }
        }
        guard let id else { throw WireFault(.malformed, at: "id", "expected a number or a string, got no such field") }
        return Row(id: id, json: text.minified(token))
    }
}
