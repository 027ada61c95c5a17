import AlertBusModel

extension MessageWriter {
    /// What differs from the defaults, so that messages stay short.
    mutating func raise(_ raise: Raise) {
        let content = raise.content
        field(#","surface":"#, raise.surface)
        field(#","key":"#, raise.key)
        if content.priority != 1 { field(#","priority":"#, UInt64(content.priority)) }
        if !content.intercept { field(#","intercept":"#, false) }
        if !content.activate { field(#","activate":"#, false) }
        if raise.update { field(#","update":"#, true) }
        if content.breakthrough { field(#","breakthrough":"#, true) }
        if let ttl = content.ttl { field(#","ttl_ms":"#, ttl) }
        if let display = content.display { field(#","display_ms":"#, display) }
        if let minShow = content.minShow { field(#","min_show_ms":"#, minShow) }
        if content.closesOnOwnerLoss { field(#","on_owner_loss":"#, "close") }
        if let presentation = content.presentation { field(#","presentation":"#, presentation) }
        if !content.params.isEmpty { field(#","params":"#, json: content.params) }
        if let loadTimeout = content.loadTimeout { field(#","load_timeout_ms":"#, loadTimeout) }
        if !content.sources.isEmpty {
            json.raw(#","sources":"#)
            json.list(content.sources) { $0.source($1) }
        }
    }

    mutating func update(_ update: Update) {
        field(#","surface":"#, update.surface)
        field(#","key":"#, update.key)
        if let revision = update.revision { field(#","revision":"#, UInt64(revision)) }
        if let priority = update.priority { field(#","priority":"#, UInt64(priority)) }
        if let intercept = update.intercept { field(#","intercept":"#, intercept) }
        if let activate = update.activate { field(#","activate":"#, activate) }
        if let ttl = update.ttl { field(#","ttl_ms":"#, ttl) }
        if let display = update.display { field(#","display_ms":"#, display) }
        if let presentation = update.presentation { field(#","presentation":"#, presentation) }
        if let params = update.params { field(#","params":"#, json: params) }
    }
}

extension JSONWriter {
    fileprivate mutating func source(_ source: Source) {
        raw(#"{"name":"#)
        string(source.name)
        if !source.request.isEmpty {
            raw(#","request":"#)
            raw(source.request)
        }
        if !source.selected.isEmpty {
            raw(#","selected":"#)
            list(source.selected) { $0.raw($1) }
        }
        if source.timeout != Source.defaultTimeout {
            raw(#","timeout_ms":"#)
            integer(source.timeout)
        }
        if source.isOptional { raw(#","optional":true"#) }
        raw("}")
    }
}
