import AlertBusModel

extension ServerMessageDecoder {
    func stream(_ change: StreamMessage.Change) throws(WireFault) -> StreamMessage {
        StreamMessage(
            surface: try fields.surface(), epoch: try fields.requiredInteger(.epoch),
            seq: try fields.requiredInteger(.seq), reason: try fields.word(.reason, reasons),
            detail: try fields.string(.detail) ?? "", change: change)
    }

    func beat() throws(WireFault) -> Beat {
        Beat(
            surface: try fields.surface(), epoch: try fields.requiredInteger(.epoch),
            seq: try fields.requiredInteger(.seq),
            digest: try fields.required(try fields.string(.digest), .digest, "a string"))
    }

    func snapshot(_ ref: [UInt8]) throws(WireFault) -> SnapshotPart {
        let epoch = try fields.requiredInteger(.epoch)
        var part = SnapshotPart(
            ref: ref, scope: try fields.scope(.scope), epoch: epoch, surfaces: [],
            last: try fields.boolean(.last) ?? true)
        try fields.list(.surfaces) { (token) throws(WireFault) in
            let surface = try collect(token)
            var snapshot = SurfaceSnapshot(
                surface: try surface.surface(), epoch: epoch, seq: try surface.requiredInteger(.seq),
                held: try surface.boolean(.held) ?? false, shown: [])
            // The fields of the surface give way to those of its alerts, so the list is looked up first.
            guard let shown = surface[.shown] else { throw surface.fault(.shown, expected: "an array") }
            do throws(WireFault) {
                try text.forEachElement(shown, limit: .max) { (_, token) throws(WireFault) in
                    snapshot.shown.append(try alertFields(token))
                }
            } catch {
                throw error.inside(Field.shown.name)
            }
            part.surfaces.append(snapshot)
        }
        return part
    }

    /// The alert of `show` and `update`.
    func alert(_ token: Int?) throws(WireFault) -> ShownAlert {
        guard let token else { throw fields.fault(.alert, expected: "an object") }
        do throws(WireFault) {
            return try alertFields(token)
        } catch {
            throw error.inside(Field.alert.name)
        }
    }

    private func alertFields(_ token: Int) throws(WireFault) -> ShownAlert {
        let alert = try collect(token)
        var result = ShownAlert(
            key: try alert.requiredName(.key), producer: try alert.repeatedName(.producer) ?? "",
            instance: try alert.requiredInteger(.instance), revision: try alert.revision(),
            priority: UInt8(truncatingIfNeeded: try alert.requiredInteger(.priority, 0...255)),
            presentation: try alert.string(.presentation), params: try alert.object(.params) ?? [],
            displayLeft: try alert.time(.display), expiresAt: try alert.time(.expiresAt))
        guard let data = alert[.data] else { return result }
        do throws(WireFault) {
            try text.forEachMember(data) { (name, rows) throws(WireFault) in
                let source = text.string(name)
                do throws(WireFault) {
                    result.data.append(try sourceData(source, rows))
                } catch {
                    throw error.inside(source)
                }
            }
        } catch {
            throw error.inside(Field.data.name)
        }
        return result
    }

    private func sourceData(_ name: String, _ rows: Int) throws(WireFault) -> SourceData {
        var data = SourceData(name: name, rows: [], selected: [])
        try text.forEachElement(rows, limit: .max) { (_, token) throws(WireFault) in
            let (row, isSelected) = try row(token)
            data.rows.append(row)
            if isSelected { data.selected.append(row.id) }
        }
        return data
    }

    /// A row as the provider wrote it, without the mark.
    private func row(_ token: Int) throws(WireFault) -> (Row, isSelected: Bool) {
        var id: [UInt8]?
        var isSelected = false
        var json: [UInt8] = [UInt8(ascii: "{")]
        try text.forEachMember(token) { (name, value) throws(WireFault) in
            if text.isNamed(name, "selected") {
                isSelected = text.first(value) == UInt8(ascii: "t")
                return
            }
            if text.isNamed(name, "id") { id = try text.id(value) }
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            text.appendMinified(name, to: &json)
            json.append(UInt8(ascii: ":"))
            text.appendMinified(value, to: &json)
        }
        json.append(UInt8(ascii: "}"))
        guard let id else { throw WireFault(.malformed, at: "id", "expected a number or a string, got no such field") }
        return (Row(id: id, json: json), isSelected)
    }
}
