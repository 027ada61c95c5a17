import AlertBusCore
import AlertBusModel
import Foundation
import Testing

/// The scripts on which the original pop-up manager and an independent model agree.
struct ConformanceTests {
    @Test(arguments: ["hide", "single", "stack"])
    func scriptsGiveWhatThePopUpManagerShowed(_ family: String) throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/conformance/\(family).jsonl")
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 120)
        for line in lines {
            let script = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let rows = try #require(script["expect"] as? [[Any]])
            let expected = rows.map { "\($0[0]) \($0[1]) \($0[2])" }
            let events = try run(script)
            #expect(events == expected, "\(String(describing: script["name"]))")
        }
    }

    private func run(_ script: [String: Any]) throws -> [String] {
        let settings = try #require(script["policy"] as? [String: Any])
        var policy = Policy()
        policy.covered = try #require(Covered(rawValue: settings["covered"] as? String ?? ""))
        policy.order = try #require(Order(rawValue: settings["order"] as? String ?? ""))
        policy.activationDelay = Int64(settings["activation_delay_ms"] as? Int ?? -1)
        policy.maxBatch = settings["max_batch"] as? Int ?? -1
        var arbiter = Arbiter(policies: PolicySet(fallback: policy))
        var events: [String] = []
        var now: Milliseconds = 0

        func step(_ input: Input, at time: Milliseconds) {
            var effects: [Effect] = []
            arbiter.step(input, at: time, into: &effects)
            for case .publish(let message) in effects {
                switch message.change {
                case .show(let alert): events.append("\(time) show \(alert.key)")
                case .hide(let key, _): events.append("\(time) hide \(key)")
                case .update: break
                }
            }
            #expect(arbiter.violations() == [])
        }
        for step_ in try #require(script["steps"] as? [[Any]]) {
            switch step_[0] as? String {
            case "show":
                var content = AlertContent()
                content.priority = UInt8(step_[2] as? Int ?? 0)
                content.intercept = step_[3] as? Bool ?? true
                content.activate = step_[4] as? Bool ?? true
                let raise = Raise(surface: "screen", key: step_[1] as? String ?? "", content: content)
                step(.command(.raise(raise), from: Requester()), at: now)
            case "dismiss":
                step(.command(.dismiss(surface: "screen", .top, revision: nil), from: Requester()), at: now)
            case "wait":
                let end = now + Int64(step_[1] as? Int ?? 0)
                while let due = arbiter.nextDeadline, due <= end { step(.tick, at: due) }
                now = end
            default: Issue.record("unknown step \(step_)")
            }
        }
        return events
    }
}
