import AlertBusModel

extension ServerMessageDecoder {
    func accepted() throws(WireFault) -> Accepted {
        Accepted(
            surface: try fields.surface(), key: try fields.requiredName(.key),
            instance: try fields.requiredInteger(.instance), revision: try fields.revision(),
            state: try fields.word(.state, states),
            position: Int(try fields.integer(.position, count) ?? 0))
    }

    func refusal() throws(WireFault) -> Refusal {
        var refusal = Refusal(
            try fields.word(.reason, reasons), try fields.string(.message) ?? "",
            retryAfter: try fields.time(.retryAfter) ?? 0)
        if fields[.instances] != nil {
            try fields.list(.instances) { (token) throws(WireFault) in
                guard let instance = text.unsigned(token) else {
                    throw WireFault(.malformed, at: "", "expected an integer, got \(text.excerpt(token))")
                }
                refusal.instances.append(instance)
            }
        }
        return refusal
    }

    func done() throws(WireFault) -> Done {
        Done(
            instance: try fields.integer(.instance, 0...UInt64.max) ?? 0,
            revision: UInt32(truncatingIfNeeded: try fields.integer(.revision, 0...UInt64(UInt32.max)) ?? 0),
            count: Int(try fields.integer(.count, count) ?? 0))
    }

    func receipt() throws(WireFault) -> Receipt {
        Receipt(
            surface: try fields.surface(), key: try fields.requiredName(.key),
            instance: try fields.requiredInteger(.instance), revision: try fields.revision(),
            event: try fields.word(.event, events), reason: try fields.word(.reason, reasons),
            answer: fields.json(.answer) ?? [], detail: try fields.string(.detail) ?? "")
    }

    func pong(_ ref: [UInt8]) throws(WireFault) -> Pong {
        var pong = Pong(ref: ref, epoch: try fields.requiredInteger(.epoch), session: try fields.session())
        guard let surfaces = fields[.surfaces] else { return pong }
        do throws(WireFault) {
            try text.forEachMember(surfaces) { (name, value) throws(WireFault) in
                let surface = text.string(name)
                guard let seq = text.unsigned(value) else {
                    throw WireFault(.malformed, at: surface, "expected an integer, got \(text.excerpt(value))")
                }
                pong.surfaces.append(Pong.Position(surface: surface, seq: seq))
            }
        } catch {
            throw error.inside(Field.surfaces.name)
        }
        return pong
    }

    func explanation() throws(WireFault) -> Explanation {
        Explanation(
            surface: try fields.surface(), key: try fields.requiredName(.key),
            instance: try fields.requiredInteger(.instance), state: try fields.word(.state, states),
            rule: try fields.required(try fields.string(.rule), .rule, "a string"),
            above: try fields.integer(.above, 0...UInt64.max) ?? 0, aboveKey: try fields.string(.aboveKey) ?? "",
            until: try fields.time(.until), message: try fields.string(.message) ?? "")
    }

    func load() throws(WireFault) -> LoadRequest {
        LoadRequest(
            load: try fields.requiredInteger(.load), name: try fields.requiredName(.name),
            request: fields.json(.request) ?? [],
            timeout: try fields.required(try fields.time(.timeout), .timeout, "an integer"))
    }
}
