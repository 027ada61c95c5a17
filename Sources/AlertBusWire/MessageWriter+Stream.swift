import AlertBusModel

extension MessageWriter {
    /// `show`, `update` or `hide`.
    public mutating func stream(_ message: StreamMessage) {
        switch message.change {
        case .show: json.raw(#"{"v":1,"op":"show""#)
        case .update: json.raw(#"{"v":1,"op":"update""#)
        case .hide: json.raw(#"{"v":1,"op":"hide""#)
        }
        field(#","surface":"#, message.surface)
        field(#","epoch":"#, message.epoch)
        field(#","seq":"#, message.seq)
        field(#","reason":"#, message.reason.rawValue)
        if !message.detail.isEmpty { field(#","detail":"#, message.detail) }
        switch message.change {
        case .show(let shown):
            json.raw(#","alert":"#)
            json.alert(shown)
        case .update(let shown):
            json.raw(#","alert":"#)
            json.alert(shown)
        case .hide(let key, let instance):
            field(#","key":"#, key)
            field(#","instance":"#, instance)
        }
        end()
    }

    public mutating func beat(_ beat: Beat) {
        begin(#"{"v":1,"op":"beat""#)
        field(#","surface":"#, beat.surface)
        field(#","epoch":"#, beat.epoch)
        field(#","seq":"#, beat.seq)
        field(#","digest":"#, beat.digest)
        end()
    }

    public mutating func snapshot(_ part: SnapshotPart) {
        begin(#"{"v":1,"op":"snapshot""#, ref: part.ref)
        field(#","scope":"#, part.scope.text)
        field(#","epoch":"#, part.epoch)
        json.raw(#","surfaces":"#)
        json.list(part.surfaces) { json, surface in
            json.raw(#"{"surface":"#)
            json.string(surface.surface)
            json.raw(#","seq":"#)
            json.integer(surface.seq)
            if surface.held { json.raw(#","held":true"#) }
            json.raw(#","shown":"#)
            json.list(surface.shown) { $0.alert($1) }
            json.raw("}")
        }
        field(#","last":"#, part.last)
        end()
    }
}

extension JSONWriter {
    /// An alert as a screen needs it.
    mutating func alert(_ alert: ShownAlert) {
        raw(#"{"key":"#)
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
        if let presentation = alert.presentation {
            raw(#","presentation":"#)
            string(presentation)
        }
        if !alert.params.isEmpty {
            raw(#","params":"#)
            raw(alert.params)
        }
        if let left = alert.displayLeft {
            raw(#","display_ms":"#)
            integer(left)
        }
        if let expires = alert.expiresAt {
            raw(#","expires_at":"#)
            integer(expires)
        }
        if !alert.data.isEmpty { data(alert.data) }
        raw("}")
    }

    private mutating func data(_ sources: [SourceData]) {
        raw(#","data":{"#)
        var isFirst = true
        for source in sources {
            if !isFirst { raw(",") }
            isFirst = false
            string(source.name)
            raw(":")
            // The selected ids come in the order of the rows, so one step through both finds them all.
            var next = source.selected.startIndex
            list(source.rows) { json, row in
                let isSelected = next < source.selected.endIndex && source.selected[next] == row.id
                if isSelected { next += 1 }
                json.row(row, isSelected: isSelected)
            }
        }
        raw("}")
    }

    /// The row with `selected` as its last field. It has an id, so a field always comes before.
    private mutating func row(_ row: Row, isSelected: Bool) {
        raw(row.json)
        removeLast(UInt8(ascii: "}"))
        if isSelected { raw(#","selected":true}"#) } else { raw(#","selected":false}"#) }
    }
}
