import AlertBusModel

/// What a pattern for surfaces may be in a file, and when one makes another pointless.
enum PatternRules {
    static func checked(_ text: String) throws(ImpossibleValue) -> String {
        if text.hasSuffix("/") {
            throw ImpossibleValue(detail: "it ends with a slash; write \(text)** for every surface below")
        }
        do { try Name.checkPath(text) } catch { throw ImpossibleValue(detail: "it \(error)") }
        let segments = text.split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() where segment.contains("**") {
            if segment != "**" { throw ImpossibleValue(detail: "** must be a whole segment") }
            if index != segments.count - 1 { throw ImpossibleValue(detail: "** must be the last segment") }
        }
        return text
    }

    /// Whether the first pattern matches every surface that the second one matches.
    ///
    /// A star of the second pattern can be any text, so only a star of the first one may take it; and `PathPattern`
    /// takes a star of a path as such a text. What is left is a final `**`, which only a final `**` covers.
    static func covers(_ first: PathPattern, _ second: PathPattern) -> Bool {
        if isOpen(second) && !isOpen(first) { return false }
        return first.matches(second.text)
    }

    private static func isOpen(_ pattern: PathPattern) -> Bool {
        pattern.text == "**" || pattern.text.hasSuffix("/**")
    }
}
