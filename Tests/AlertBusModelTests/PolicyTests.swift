import AlertBusModel
import Testing

@Suite struct PolicyTests {
    @Test func `defaults are those of the pop-up manager`() {
        let policy = Policy()
        #expect(policy.order == .priority && policy.covered == .stay && policy.preempt == .never)
        #expect(policy.activationDelay == 350 && policy.slots == 1 && policy.maxPriority == 3)
        #expect(policy.capacity == 10_000 && policy.overflow == .refuse)
        #expect(policy.maxBatch == 0 && policy.minShow == 0 && !policy.hold)
        let content = AlertContent()
        #expect(content.priority == 1 && content.intercept && content.activate)
    }

    @Test func `a priority outside the range counts as 1`() {
        #expect([0, 1, 2, 3, 4, 255].map { Policy().effective($0) } == [1, 1, 2, 3, 1, 1])
        var wide = Policy()
        wide.maxPriority = 255
        #expect([0, 200, 255].map { wide.effective($0) } == [1, 200, 255])
    }

    private static let matches: [(String, String, Bool)] = [
        ("lobby/a", "lobby/a", true), ("lobby/a", "lobby/b", false), ("lobby/a", "lobby/a/b", false),
        ("lobby/*", "lobby/a", true), ("lobby/*", "lobby/a/b", false), ("lobby/*", "lobby", false),
        ("*/modal", "lobby/modal", true), ("*/*", "a/b", true), ("*/*", "a", false),
        ("**", "a", true), ("**", "a/b/c", true),
        ("lobby/**", "lobby/a/b", true), ("lobby/**", "lobby", false), ("lobby/**", "hall/a", false),
        ("kiosk-*", "kiosk-1", true), ("kiosk-*", "kiosk-", true), ("kiosk-*", "kiosk", false),
        ("a*b*c", "aXbYc", true), ("a*b*c", "abc", true), ("a*b*c", "abcd", false), ("a*b*c", "acb", false),
        ("*aab", "aaab", true), ("*a*", "b", false), ("**/a", "x/a", true), ("**/a", "x/y/a", false),
    ]

    @Test(arguments: matches)
    func `a pattern matches or not`(_ pattern: String, _ surface: String, _ expected: Bool) throws {
        #expect(try PathPattern(pattern).matches(surface) == expected)
    }

    @Test func `a pattern is a path`() {
        for text in ["", "/a", "a//b", "a/"] { #expect(throws: NameFault.self) { try PathPattern(text) } }
    }

    @Test func `the first pattern that matches decides`() throws {
        var hide = Policy()
        hide.covered = .hide
        var two = Policy()
        two.slots = 2
        let set = PolicySet(rules: [
            PolicyRule(pattern: try PathPattern("a/*"), policy: hide), PolicyRule(pattern: try PathPattern("a/**"), policy: two),
        ])
        #expect(set.policy(for: "a/b") == hide)
        #expect(set.policy(for: "a/b/c") == two)
        #expect(set.policy(for: "b") == Policy())
    }
}
