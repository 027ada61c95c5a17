import AlertBusModel

extension MessageWriter {
    public mutating func alerts(_ part: AlertsPart) {
        begin(#"{"v":1,"op":"alerts""#, ref: part.ref)
        json.raw(#","alerts":"#)
        json.list(part.alerts) { $0.summary($1) }
        field(#","last":"#, part.last)
        end()
    }

    public mutating func subscribers(_ part: SubscribersPart) {
        begin(#"{"v":1,"op":"subscribers""#, ref: part.ref)
        json.raw(#","subscribers":"#)
        json.list(part.subscribers) { $0.subscriber($1) }
        field(#","last":"#, part.last)
        end()
    }

    public mutating func counters(_ report: CountersReport) {
        begin(#"{"v":1,"op":"counters""#, ref: report.ref)
        json.raw(#","counters":{"#)
        for (index, counter) in report.counters.enumerated() {
            if index > 0 { json.raw(",") }
            json.string(counter.name)
            json.raw(":")
            json.integer(counter.value)
        }
        json.raw("}")
        end()
    }
}

extension JSONWriter {
    fileprivate mutating func summary(_ alert: AlertSummary) {
        raw(#"{"surface":"#)
        string(alert.surface)
        raw(#","key":"#)
        string(alert.key)
        if !alert.producer.isEmpty {
            raw(#","producer":"#)
            string(alert.producer)
        }
        raw(#","instance":"#)
        integer(alert.instance)
        raw(#","revision":"#)
        integer(UInt64(alert.revision))
        raw(#","priority":"#)
        integer(UInt64(alert.priority))
        raw(#","state":"#)
        string(alert.state.rawValue)
        if alert.position > 0 {
            raw(#","position":"#)
            integer(alert.position)
        }
        raw(#","accepted_at":"#)
        integer(alert.acceptedAt)
        if let expires = alert.expiresAt {
            raw(#","expires_at":"#)
            integer(expires)
        }
        raw("}")
    }

    fileprivate mutating func subscriber(_ subscriber: SubscriberSummary) {
        raw(#"{"session":"#)
        token(subscriber.session)
        if !subscriber.identity.isEmpty {
            raw(#","identity":"#)
            string(subscriber.identity)
        }
        raw(#","scopes":"#)
        list(subscriber.scopes) { $0.string($1.text) }
        raw(#","silence_ms":"#)
        integer(subscriber.silence)
        raw(#","backlog_bytes":"#)
        integer(subscriber.backlog)
        raw(#","resyncs":"#)
        integer(subscriber.resyncs)
        if let time = subscriber.toScreen {
            raw(#","to_screen_p50_ms":"#)
            integer(time.p50)
            raw(#","to_screen_p99_ms":"#)
            integer(time.p99)
        }
        raw(#","screens":"#)
        list(subscriber.screens) { json, screen in
            json.raw(#"{"surface":"#)
            json.string(screen.surface)
            json.raw(#","sent":"#)
            json.integer(screen.sent)
            if let drawn = screen.drawn {
                json.raw(#","drawn":"#)
                json.integer(drawn)
            }
            json.raw(#","behind_ms":"#)
            json.integer(screen.behind)
            if let time = screen.toScreen {
                json.raw(#","to_screen_ms":"#)
                json.integer(time)
            }
            json.raw("}")
        }
        raw("}")
    }
}
