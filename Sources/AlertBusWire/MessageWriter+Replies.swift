import AlertBusModel

extension MessageWriter {
    /// What a command's sender hears at once. `watchers`, for `accepted` only: how many subscribers the surface has.
    public mutating func reply(_ reply: Reply, ref: [UInt8], watchers: Int? = nil) {
        switch reply {
        case .accepted(let accepted): self.accepted(accepted, ref: ref, watchers: watchers)
        case .refused(let refusal): refused(refusal, ref: ref)
        case .done(let done): self.done(done, ref: ref)
        case .event(let receipt): event(receipt, ref: ref)
        }
    }

    public mutating func accepted(_ accepted: Accepted, ref: [UInt8], watchers: Int? = nil) {
        begin(#"{"v":1,"op":"accepted""#, ref: ref)
        field(#","surface":"#, accepted.surface)
        field(#","key":"#, accepted.key)
        field(#","instance":"#, accepted.instance)
        field(#","revision":"#, UInt64(accepted.revision))
        field(#","state":"#, accepted.state.rawValue)
        if accepted.position > 0 { field(#","position":"#, accepted.position) }
        if let watchers { field(#","watchers":"#, watchers) }
        end()
    }

    public mutating func refused(_ refusal: Refusal, ref: [UInt8]) {
        begin(#"{"v":1,"op":"refused""#, ref: ref)
        field(#","reason":"#, refusal.reason.rawValue)
        field(#","message":"#, refusal.message)
        if refusal.retryAfter > 0 { field(#","retry_after_ms":"#, refusal.retryAfter) }
        if !refusal.instances.isEmpty {
            json.raw(#","instances":"#)
            json.list(refusal.instances) { $0.integer($1) }
        }
        end()
    }

    /// Tells the sender of a message why it was not understood.
    public mutating func refused(_ fault: WireFault) { refused(fault.refusal, ref: fault.ref) }

    public mutating func done(_ done: Done = Done(), ref: [UInt8]) {
        begin(#"{"v":1,"op":"done""#, ref: ref)
        if done.instance > 0 { field(#","instance":"#, done.instance) }
        if done.revision > 0 { field(#","revision":"#, UInt64(done.revision)) }
        if done.count > 0 { field(#","count":"#, done.count) }
        end()
    }

    /// A rung of the receipt ladder; with a `ref` it is the reply to `status`.
    public mutating func event(_ receipt: Receipt, ref: [UInt8] = []) {
        begin(#"{"v":1,"op":"event""#, ref: ref)
        field(#","surface":"#, receipt.surface)
        field(#","key":"#, receipt.key)
        field(#","instance":"#, receipt.instance)
        field(#","revision":"#, UInt64(receipt.revision))
        field(#","event":"#, receipt.event.rawValue)
        field(#","reason":"#, receipt.reason.rawValue)
        if !receipt.answer.isEmpty { field(#","answer":"#, json: receipt.answer) }
        if !receipt.detail.isEmpty { field(#","detail":"#, receipt.detail) }
        end()
    }

    public mutating func pong(_ pong: Pong) {
        begin(#"{"v":1,"op":"pong""#, ref: pong.ref)
        field(#","epoch":"#, pong.epoch)
        json.raw(#","session":"#)
        json.token(pong.session)
        json.raw(#","surfaces":{"#)
        var isFirst = true
        for position in pong.surfaces {
            if !isFirst { json.raw(",") }
            isFirst = false
            json.string(position.surface)
            field(":", position.seq)
        }
        json.raw("}")
        end()
    }

    public mutating func explanation(_ explanation: Explanation, ref: [UInt8]) {
        begin(#"{"v":1,"op":"explanation""#, ref: ref)
        field(#","surface":"#, explanation.surface)
        field(#","key":"#, explanation.key)
        field(#","instance":"#, explanation.instance)
        field(#","state":"#, explanation.state.rawValue)
        field(#","rule":"#, explanation.rule)
        if explanation.above > 0 { field(#","above":"#, explanation.above) }
        if !explanation.aboveKey.isEmpty { field(#","above_key":"#, explanation.aboveKey) }
        if let until = explanation.until { field(#","until":"#, until) }
        field(#","message":"#, explanation.message)
        end()
    }

    // MARK: To providers

    public mutating func load(_ request: LoadRequest) {
        begin(#"{"v":1,"op":"load""#)
        field(#","load":"#, request.load)
        field(#","name":"#, request.name)
        if !request.request.isEmpty { field(#","request":"#, json: request.request) }
        field(#","timeout_ms":"#, request.timeout)
        end()
    }

    /// The arbiter no longer wants what it asked for.
    public mutating func unload(_ load: UInt64) {
        begin(#"{"v":1,"op":"unload""#)
        field(#","load":"#, load)
        end()
    }
}
