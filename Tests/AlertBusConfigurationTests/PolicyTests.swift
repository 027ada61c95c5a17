import AlertBusConfiguration
import AlertBusModel
import Testing

@Suite("Which policy a surface has")
struct PolicyTests {
    static let text = """
        [default_policy]
        order = "arrival"

        [[policy]]
        surfaces = "lobby/kiosk-1/*"
        slots = 2

        [[policy]]
        surfaces = "lobby/**"
        hold = true
        """

    @Test(
        "The first match decides, and the answer says where it stands",
        arguments: [
            (
                "lobby/kiosk-1/modal",
                #"policy[0] is the first whose pattern matches: surfaces = "lobby/kiosk-1/*" (t.toml:5)"#
            ),
            ("lobby/kiosk-1/a/b", #"policy[1] is the first whose pattern matches: surfaces = "lobby/**" (t.toml:9)"#),
            ("lobby", "no [[policy]] matches, so [default_policy] applies"),
        ])
    func decision(surface: String, reason: String) throws {
        let configuration = try Configuration.decode(text: Self.text, name: "t.toml")
        let decision = try configuration.decision(for: surface)
        #expect(decision.reason == reason)
        #expect(decision.policy == configuration.policies.policy(for: surface))
    }

    @Test("The text lists every rule and marks what is not the default; the JSON has the same")
    func rendering() throws {
        let configuration = try Configuration.decode(text: Self.text, name: "t.toml")
        let decision = try configuration.decision(for: "lobby/kiosk-1/modal")
        let lines = decision.description.split(separator: "\n")
        #expect(lines.count == 12)
        #expect(lines.contains("  slots = 2  # default 1"))
        #expect(lines.contains(#"  order = "priority""#))
        #expect(
            decision.json.hasPrefix(
                #"{"surface":"lobby/kiosk-1/modal","rule":0,"pattern":"lobby/kiosk-1/*","file":"t.toml","line":5,"#
                    + #""policy":{"order":"priority","covered":"stay","preempt":"never","activation_delay_ms":350,"#
            ))
    }

    @Test("A surface that cannot exist is refused")
    func badSurface() throws {
        #expect(throws: NameFault.slashAtEnd) { try Configuration().decision(for: "lobby/") }
    }

    /// Two patterns in a file: the second is refused exactly if no surface of a small world is left for it.
    @Test("A policy is unreachable exactly if the earlier one matches all that it matches")
    func covering() throws {
        let segments = ["*", "a*", "*a", "ab", "a*b"]
        let patterns =
            ["**"] + segments + segments.map { $0 + "/**" } + segments.flatMap { a in segments.map { a + "/" + $0 } }
        let words = ["a", "b", "ab", "ba", "aab", "axb", "xa", "ax", "x", "abc", "aba"]
        let pairs = words.flatMap { a in words.map { a + "/" + $0 } }
        let world = words + pairs + pairs.map { $0 + "/x" }
        let matched = try patterns.map { pattern in
            let pattern = try PathPattern(pattern)
            return Set(world.filter(pattern.matches))
        }
        for (i, first) in patterns.enumerated() {
            for (j, second) in patterns.enumerated() {
                let text = "[[policy]]\nsurfaces = \"\(first)\"\n[[policy]]\nsurfaces = \"\(second)\""
                let isRefused = (try? Configuration.decode(text: text, name: "t.toml")) == nil
                #expect(isRefused == matched[j].isSubset(of: matched[i]), "\(first) before \(second)")
            }
        }
    }
}
