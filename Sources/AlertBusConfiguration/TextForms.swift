/// Strings of the file and the values that they stand for.
enum TextForms {
    static let endpointExpectation = #"an endpoint like "tcp://127.0.0.1:5570" or "ipc:///run/alertbus/requests""#

    static func endpoint(_ text: String) throws(ImpossibleValue) -> ListenAddress {
        do { return try ListenAddress(text) } catch { throw ImpossibleValue(detail: error.description) }
    }

    static func optionalEndpoint(_ text: String) throws(ImpossibleValue) -> ListenAddress? {
        text == "none" ? nil : try endpoint(text)
    }

    static func journal(_ text: String) throws(ImpossibleValue) -> ArbiterSettings.Journal {
        switch text {
        case "": return .stateDirectory
        case "memory": return .memory
        default: return .file(path: try path(text))
        }
    }

    static func text(_ journal: ArbiterSettings.Journal) -> String {
        switch journal {
        case .stateDirectory: ""
        case .memory: "memory"
        case .file(let path): path
        }
    }

    /// A file's path; "" is allowed and means none.
    static func path(_ text: String) throws(ImpossibleValue) -> String {
        if text.utf8.contains(0) { throw ImpossibleValue(detail: "it has a zero byte") }
        if text.hasSuffix("/") { throw ImpossibleValue(detail: "it names a directory") }
        return text
    }

    /// Octal digits in a string: as a number, 600 and 0o600 would be two things.
    static func mode(_ text: String) throws(ImpossibleValue) -> UInt32 {
        guard text.utf8.count == 4, text.hasPrefix("0"), let mode = UInt32(text, radix: 8) else {
            throw ImpossibleValue(detail: "it is not a zero and three octal digits")
        }
        guard mode & 0o600 == 0o600 else { throw ImpossibleValue(detail: "the owner must be able to read and write") }
        return mode
    }

    static func text(mode: UInt32) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
