/// The page, put together from its source files. Nothing else is loaded by it.
struct PageAssets: Sendable {
    private let parts: [[UInt8]]
    private let nonceGaps: Int
    /// Names the page's source, so that an open page knows when a newer one is served.
    let build: String

    /// In the order in which they run.
    private static let scripts = [
        PackageResources.words_js, PackageResources.model_js, PackageResources.icons_js, PackageResources.dom_js,
        PackageResources.priority_js, PackageResources.lists_js, PackageResources.form_js, PackageResources.countdown_js,
        PackageResources.alert_js, PackageResources.focus_js, PackageResources.guard_js, PackageResources.actions_js,
        PackageResources.screen_js, PackageResources.idle_js, PackageResources.link_js, PackageResources.start_js,
    ]
    private static let styles = [
        PackageResources.base_css, PackageResources.idle_css, PackageResources.alert_css, PackageResources.form_css,
        PackageResources.motion_css,
    ]

    /// - Parameter settings: a JSON object for the script, without the build.
    init(title: String, settings: [(String, String)]) {
        let page = PackageResources.page_html
        let script = Self.scripts.joined(separator: [0x0A])
        let style = Self.styles.joined(separator: [0x0A])
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in page + script + style { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        build = String(hash, radix: 16)

        let json = (settings + [("build", ScreenState.quoted(build))]).map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
        let values: [String: [UInt8]] = [
            "title": Array(Self.escaped(title).utf8), "settings": Array(Self.escaped("{\(json)}").utf8),
            "style": Array(style), "script": Array(script),
        ]
        var parts: [[UInt8]] = [[]]
        var rest = String(decoding: page, as: UTF8.self)[...]
        while let open = rest.firstRange(of: "{{"), let close = rest.firstRange(of: "}}") {
            parts[parts.count - 1] += rest[..<open.lowerBound].utf8
            let name = String(rest[open.upperBound..<close.lowerBound])
            if name == "nonce" { parts.append([]) } else { parts[parts.count - 1] += values[name] ?? [] }
            rest = rest[close.upperBound...]
        }
        parts[parts.count - 1] += rest.utf8
        self.parts = parts
        nonceGaps = parts.count - 1
    }

    func page(nonce: String) -> [UInt8] {
        Array(parts.joined(separator: Array(nonce.utf8)))
    }

    /// Text for an element or an attribute of HTML.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
