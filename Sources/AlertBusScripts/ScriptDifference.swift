/// The first place where what happened is not what was expected.
public struct ScriptDifference: Equatable, Sendable, CustomStringConvertible {
    /// The index of the event, from 0.
    public var index: Int
    /// Nil when nothing more was expected.
    public var expected: ScriptEvent?
    /// Nil when nothing more happened.
    public var got: ScriptEvent?

    /// Nil when all events match.
    public static func first(expected: [ScriptEvent], got: [ScriptEvent]) -> ScriptDifference? {
        for index in 0..<max(expected.count, got.count) {
            let wanted = index < expected.count ? expected[index] : nil
            let event = index < got.count ? got[index] : nil
            if let wanted, let event, wanted.matches(event) { continue }
            return ScriptDifference(index: index, expected: wanted, got: event)
        }
        return nil
    }

    public var description: String {
        let wanted = expected.map { ScriptReport.json($0).text } ?? "nothing more"
        let event = got.map { ScriptReport.json($0).text } ?? "nothing more"
        return "event \(index): expected \(wanted), got \(event)"
    }
}
