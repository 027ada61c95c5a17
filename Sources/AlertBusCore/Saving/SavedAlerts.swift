import AlertBusModel

// One alert, its content and its outcome as bytes.
extension ByteWriter {
    mutating func content(_ content: AlertContent) {
        byte(content.priority)
        byte(
            (content.intercept ? 1 : 0) | (content.activate ? 2 : 0) | (content.breakthrough ? 4 : 0)
                | (content.closesOnOwnerLoss ? 8 : 0))
        optional(content.ttl) { $0.signed($1) }
        optional(content.display) { $0.signed($1) }
        optional(content.minShow) { $0.signed($1) }
        optional(content.loadTimeout) { $0.signed($1) }
        optional(content.presentation) { $0.text($1) }
        data(content.params)
        list(content.sources) { writer, source in
            writer.text(source.name)
            writer.data(source.request)
            writer.list(source.selected) { $0.data($1) }
            writer.signed(source.timeout)
            writer.flag(source.isOptional)
        }
    }

    mutating func rows(_ rows: [Row]) {
        list(rows) { writer, row in
            writer.data(row.id)
            writer.data(row.json)
        }
    }

    mutating func sourceData(_ data: SourceData) {
        text(data.name)
        rows(data.rows)
        list(data.selected) { $0.data($1) }
    }

    mutating func receipt(_ receipt: Receipt) {
        text(receipt.surface)
        text(receipt.key)
        number(receipt.instance)
        number(UInt64(receipt.revision))
        text(receipt.event.rawValue)
        text(receipt.reason.rawValue)
        data(receipt.answer)
        text(receipt.detail)
    }

    mutating func reply(_ reply: Reply) {
        switch reply {
        case .accepted(let accepted):
            byte(0)
            text(accepted.surface)
            text(accepted.key)
            number(accepted.instance)
            number(UInt64(accepted.revision))
            text(accepted.state.rawValue)
            number(accepted.position)
        case .refused(let refusal):
            byte(1)
            text(refusal.reason.rawValue)
            text(refusal.message)
            signed(refusal.retryAfter)
            list(refusal.instances) { $0.number($1) }
        case .done(let done):
            byte(2)
            number(done.instance)
            number(UInt64(done.revision))
            number(done.count)
        case .event(let receipt):
            byte(3)
            self.receipt(receipt)
        }
    }

    mutating func loading(_ state: LoadingState) {
        flag(state.isRefresh)
        list(state.parts) { writer, part in
            writer.number(part.source)
            writer.number(part.load)
            writer.data(part.request)
            writer.signed(part.deadline)
            writer.optional(part.rows) { $0.rows($1) }
            writer.flag(part.isMissing)
        }
    }
}

extension ByteReader {
    mutating func content() throws(StateFault) -> AlertContent {
        var content = AlertContent()
        content.priority = try byte()
        let flags = try byte()
        content.intercept = flags & 1 != 0
        content.activate = flags & 2 != 0
        content.breakthrough = flags & 4 != 0
        content.closesOnOwnerLoss = flags & 8 != 0
        content.ttl = try optional { reader throws(StateFault) in try reader.time() }
        content.display = try optional { reader throws(StateFault) in try reader.time() }
        content.minShow = try optional { reader throws(StateFault) in try reader.time() }
        content.loadTimeout = try optional { reader throws(StateFault) in try reader.time() }
        content.presentation = try optional { reader throws(StateFault) in try reader.text() }
        content.params = try data()
        content.sources = try list { reader throws(StateFault) in
            Source(
                name: try reader.text(), request: try reader.data(),
                selected: try reader.list { reader throws(StateFault) in try reader.data() },
                timeout: try reader.time(), isOptional: try reader.flag())
        }
        return content
    }

    mutating func rows() throws(StateFault) -> [Row] {
        try list { reader throws(StateFault) in Row(id: try reader.data(), json: try reader.data()) }
    }

    mutating func sourceData() throws(StateFault) -> SourceData {
        SourceData(
            name: try text(), rows: try rows(),
            selected: try list { reader throws(StateFault) in try reader.data() })
    }

    mutating func receipt() throws(StateFault) -> Receipt {
        Receipt(
            surface: try text(), key: try text(), instance: try number(), revision: try narrow(), event: try word(),
            reason: try word(), answer: try data(), detail: try text())
    }

    mutating func reply() throws(StateFault) -> Reply {
        switch try byte() {
        case 0:
            return .accepted(
                Accepted(
                    surface: try text(), key: try text(), instance: try number(), revision: try narrow(),
                    state: try word(), position: try integer()))
        case 1:
            return .refused(
                Refusal(
                    try word(), try text(), retryAfter: try signed(),
                    instances: try list { reader throws(StateFault) in try reader.number() }))
        case 2:
            return .done(Done(instance: try number(), revision: try narrow(), count: try integer()))
        case 3: return .event(try receipt())
        case let other: throw fault("there is no reply of kind \(other)")
        }
    }

    mutating func loading() throws(StateFault) -> LoadingState {
        var state = LoadingState(isRefresh: try flag())
        state.parts = try list { reader throws(StateFault) in
            LoadingState.Part(
                source: try reader.count(), load: try reader.counter(), request: try reader.data(),
                deadline: try reader.time(), rows: try reader.optional { reader throws(StateFault) in try reader.rows() },
                isMissing: try reader.flag())
        }
        for index in state.parts.indices {
            state.parts[index].rowBytes = state.parts[index].rows?.reduce(0) { $0 + $1.json.count } ?? 0
        }
        return state
    }
}
