/// The names of fields that messages use.
enum Field: Int, CaseIterable {
    case v, op, ref, once, producer
    case surface, key, instance, revision, epoch, seq, reason
    case priority, intercept, activate, update, breakthrough, presentation, params, sources
    case ttl, display, minShow, onOwnerLoss, timeout, loadTimeout
    case name, request, selected, optional, source, answer, shown, subscribers
    case load, rows, error, id
    case state, position, watchers, message, retryAfter, instances, count, event, detail
    case alert, data, expiresAt, acceptedAt, surfaces, scope, held, last, alerts, digest, session
    case rule, above, aboveKey, until
    case counters, identity, scopes, silence, backlog, resyncs, screens, sent, drawn, behind
    case toScreen, toScreenMedian, toScreenTail

    /// As it is written in a message.
    var name: String {
        switch self {
        case .ttl: "ttl_ms"
        case .display: "display_ms"
        case .minShow: "min_show_ms"
        case .onOwnerLoss: "on_owner_loss"
        case .timeout: "timeout_ms"
        case .loadTimeout: "load_timeout_ms"
        case .retryAfter: "retry_after_ms"
        case .expiresAt: "expires_at"
        case .acceptedAt: "accepted_at"
        case .aboveKey: "above_key"
        case .silence: "silence_ms"
        case .behind: "behind_ms"
        case .toScreen: "to_screen_ms"
        case .toScreenMedian: "to_screen_p50_ms"
        case .toScreenTail: "to_screen_p99_ms"
        case .backlog: "backlog_bytes"
        case .v, .op, .ref, .once, .producer, .surface, .key, .instance, .revision, .epoch, .seq, .reason, .priority,
            .intercept, .activate, .update, .breakthrough, .presentation, .params, .sources, .name, .request, .selected,
            .optional, .source, .answer, .shown, .subscribers, .load, .rows, .error, .id, .state, .position, .watchers,
            .message, .instances, .count, .event, .detail, .alert, .data, .surfaces, .scope, .held, .last, .alerts,
            .digest, .session, .rule, .above, .until, .counters, .identity, .scopes, .resyncs, .screens, .sent, .drawn:
            "\(self)"
        }
    }
}
