extension MessageWriter {
    /// Any message of the arbiter, for tools and tests. `unknown` is written as the bare `op`.
    public mutating func message(_ message: ServerMessage) {
        switch message {
        case .reply(let ref, let reply, let watchers): self.reply(reply, ref: ref, watchers: watchers)
        case .event(let receipt): event(receipt)
        case .stream(let message): stream(message)
        case .snapshot(let part): snapshot(part)
        case .alerts(let part): alerts(part)
        case .subscribers(let part): subscribers(part)
        case .counters(let report): counters(report)
        case .beat(let beat): self.beat(beat)
        case .pong(let pong): self.pong(pong)
        case .load(let request): load(request)
        case .unload(let load): unload(load)
        case .explanation(let ref, let explanation): self.explanation(explanation, ref: ref)
        case .unknown(let op):
            field(#"{"v":1,"op":"#, op)
            end()
        }
    }
}
