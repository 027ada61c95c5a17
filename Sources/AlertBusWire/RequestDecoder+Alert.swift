import AlertBusModel

extension RequestDecoder {
    func raise() throws(WireFault) -> Raise {
        var raise = Raise(surface: "", key: "")
        try read(into: &raise)
        return raise
    }

    func read(into raise: inout Raise) throws(WireFault) {
        raise.surface = try fields.surface()
        raise.key = try fields.requiredName(.key)
        raise.update = try fields.boolean(.update) ?? false
        raise.content = AlertContent()
        try read(into: &raise.content)
    }

    private func read(into content: inout AlertContent) throws(WireFault) {
        if let priority = try priority() { content.priority = priority }
        if let intercept = try fields.boolean(.intercept) { content.intercept = intercept }
        if let activate = try fields.boolean(.activate) { content.activate = activate }
        if let breakthrough = try fields.boolean(.breakthrough) { content.breakthrough = breakthrough }
        content.closesOnOwnerLoss = try closesOnOwnerLoss()
        content.ttl = try fields.milliseconds(.ttl, 1...WireLimits.longestClock)
        content.display = try fields.milliseconds(.display, 1...WireLimits.longestClock)
        content.minShow = try fields.milliseconds(.minShow, 0...WireLimits.longestClock)
        content.presentation = try presentation()
        if let params = try fields.object(.params) { content.params = params }
        content.loadTimeout = try fields.milliseconds(.loadTimeout, 1...WireLimits.longestTimeout)
        if let token = fields[.sources] { content.sources = try sources(token) }
    }

    func update() throws(WireFault) -> Update {
        var update = Update(surface: try fields.surface(), key: try fields.requiredName(.key))
        update.revision = try revision()
        update.priority = try priority()
        update.intercept = try fields.boolean(.intercept)
        update.activate = try fields.boolean(.activate)
        update.ttl = try fields.milliseconds(.ttl, 1...WireLimits.longestClock)
        update.display = try fields.milliseconds(.display, 1...WireLimits.longestClock)
        update.presentation = try presentation()
        update.params = try fields.object(.params)
        return update
    }

    private func priority() throws(WireFault) -> UInt8? {
        try fields.integer(.priority, 0...255).map(UInt8.init(truncatingIfNeeded:))
    }

    private func presentation() throws(WireFault) -> String? {
        guard let presentation = try fields.name(.presentation) else { return nil }
        if presentation.utf8.count > WireLimits.presentationBytes {
            throw fields.fault(.presentation, expected: "a string of at most \(WireLimits.presentationBytes) bytes")
        }
        return presentation
    }

    private func closesOnOwnerLoss() throws(WireFault) -> Bool {
        guard let token = fields[.onOwnerLoss] else { return false }
        switch fields.isString(token) ? text.string(token) : "" {
        case "keep": return false
        case "close": return true
        default: throw fields.fault(.onOwnerLoss, expected: "\"keep\" or \"close\"")
        }
    }

    private func sources(_ token: Int) throws(WireFault) -> [Source] {
        var sources: [Source] = []
        do throws(WireFault) {
            try text.forEachElement(token, limit: WireLimits.sources) { (_, element) throws(WireFault) in
                let source = try source(element)
                if sources.contains(where: { $0.name == source.name }) {
                    throw WireFault(.malformed, at: "name", "the alert has another source of this name")
                }
                sources.append(source)
            }
        } catch {
            throw error.inside(Field.sources.name)
        }
        return sources
    }

    private func source(_ token: Int) throws(WireFault) -> Source {
        guard text.first(token) == UInt8(ascii: "{") else {
            throw WireFault(.malformed, at: "", "expected an object, got \(text.excerpt(token))")
        }
        inner.collect(token)
        var source = Source(name: try inner.requiredName(.name), request: inner.json(.request) ?? [])
        if let timeout = try inner.milliseconds(.timeout, 1...WireLimits.longestTimeout) { source.timeout = timeout }
        if let optional = try inner.boolean(.optional) { source.isOptional = optional }
        if let selected = inner[.selected] {
            do throws(WireFault) {
                source.selected = try text.ids(selected)
            } catch {
                throw error.inside(Field.selected.name)
            }
        }
        return source
    }
}
