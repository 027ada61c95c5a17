import AlertBusModel
import AlertBusWire

/// `--source` and `--selected`: the data that an alert needs.
enum SourceOptions {
    static func sources(_ arguments: Arguments) throws(CommandFailure) -> [Source] {
        var sources: [Source] = []
        for text in arguments.all("source") {
            let (name, request) = halves(text)
            let checked = try Arguments.checked(name, "--source")
            if sources.contains(where: { $0.name == checked }) { throw .usage("--source \(checked) is given twice") }
            var source = Source(name: checked)
            if let request { source.request = try Arguments.json(request, of: "--source \(checked)=").bytes }
            sources.append(source)
        }
        for text in arguments.all("selected") {
            let (name, ids) = halves(text)
            guard let ids else { throw .usage("--selected takes NAME=ID,ID, got \(Quoting.quoted(text))") }
            sources[try index(of: name, sources, "selected")].selected += ids.split(separator: ",").map { id(String($0)) }
        }
        for name in arguments.all("optional") { sources[try index(of: name, sources, "optional")].isOptional = true }
        for text in arguments.all("source-timeout") {
            let (name, time) = halves(text)
            guard let time, let limit = TimeText.milliseconds(time), 1...WireLimits.longestTimeout ~= limit else {
                throw .usage("--source-timeout takes NAME=TIME with a time of up to 1h, got \(Quoting.quoted(text))")
            }
            sources[try index(of: name, sources, "source-timeout")].timeout = limit
        }
        return sources
    }

    private static func index(
        of name: String, _ sources: [Source], _ option: String
    ) throws(CommandFailure) -> Int {
        guard let index = sources.firstIndex(where: { $0.name == name }) else {
            throw .usage("--\(option) \(Quoting.safe(name)): there is no --source of this name")
        }
        return index
    }

    private static func halves(_ text: String) -> (String, String?) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : nil)
    }

    /// `7` and `"7"` are two ids: what can be a number or a JSON string is one, anything else is put in quotes.
    private static func id(_ text: String) -> [UInt8] {
        switch try? JSONValue(parsing: text) {
        case .number(let number): Array(number.utf8)
        case .string(let string): JSONValue.string(string).bytes
        default: JSONValue.string(text).bytes
        }
    }
}
