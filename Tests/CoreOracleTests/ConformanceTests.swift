import AlertBusModel
import CoreOracle
import Foundation
import Testing

/// The scripts that were run through the original pop-up manager.
@Suite struct ConformanceTests {
    @Test(arguments: ["hide", "single", "stack"])
    func `the model shows and hides what the pop-up manager did`(file: String) throws {
        let scripts = try Script.read(file)
        #expect(scripts.count == 120)
        for script in scripts {
            let events = script.run()
            #expect(events == script.expected, "\(script.name)")
        }
    }

    @Test func `a script with another ending is noticed`() throws {
        var script = try Script.read("stack")[0]
        script.expected[0] = "1 show t0"
        #expect(script.run() != script.expected)
    }
}

struct Script {
    var name = ""
    var policy = Policy()
    var steps: [[Any]] = []
    var expected: [String] = []

    static func read(_ file: String) throws -> [Script] {
        let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/conformance/\(file).jsonl")
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try Script(try #require(object as? [String: Any]))
        }
    }

    private init(_ object: [String: Any]) throws {
        name = try #require(object["name"] as? String)
        let rules = try #require(object["policy"] as? [String: Any])
        policy.covered = try #require((rules["covered"] as? String).flatMap(Covered.init))
        policy.order = try #require((rules["order"] as? String).flatMap(Order.init))
        policy.activationDelay = try #require(rules["activation_delay_ms"] as? Milliseconds)
        policy.maxBatch = try #require(rules["max_batch"] as? Int)
        steps = try #require(object["steps"] as? [[Any]])
        expected = try #require(object["expect"] as? [[Any]]).map { "\($0[0]) \($0[1]) \($0[2])" }
    }

    /// The shows and hides as `time what key`.
    func run() -> [String] {
        var model = SimpleArbiter(policies: PolicySet(fallback: policy), limits: Limits(), epoch: 1)
        var now: Milliseconds = 0
        var events: [String] = []
        func take(_ effects: [Effect]) {
            for case .publish(let message) in effects {
                switch message.change {
                case .show(let alert): events.append("\(now) show \(alert.key)")
                case .hide(let key, _): events.append("\(now) hide \(key)")
                case .update: break
                }
            }
        }
        for step in steps {
            switch step[0] as? String {
            case "show":
                var content = AlertContent()
                content.priority = UInt8(clamping: step[2] as! Int)
                content.intercept = step[3] as! Bool
                content.activate = step[4] as! Bool
                let raise = Raise(surface: "s", key: step[1] as! String, content: content)
                take(model.step(.command(.raise(raise), from: Requester()), at: now))
            case "dismiss":
                take(model.step(.command(.dismiss(surface: "s", .top, revision: nil), from: Requester()), at: now))
            default:
                let end = now + (step[1] as! Milliseconds)
                while let next = model.nextDeadline, next <= end {
                    now = next
                    take(model.step(.tick, at: now))
                }
                now = end
            }
        }
        return events
    }
}
