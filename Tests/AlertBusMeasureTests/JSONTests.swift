import AlertBusMeasure
import Foundation
import TestSupport
import Testing

@Suite struct JSONTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a report comes back as it was`(seed: UInt64) throws {
        var report = sampleReport(seed: seed)
        report.checks[1] = SwarmReport.Check(
            .doubled, examined: 9, findings: 1, examples: ["hall/1 \"door\" \u{7} seq 4 </script>"])
        report.acknowledgement.record(.max)
        report.setup.offeredRate = seed == 1 ? nil : 1234.5
        let json = report.encodedJSON()
        #expect(try SwarmReport(json: json) == report)
        #expect(report.encodedJSON() == json)
        #expect(!json.contains("\n"))
        #expect(try SwarmReport(json: SwarmReport().encodedJSON()) == SwarmReport())
    }

    @Test func `the figures are there for others to read`() throws {
        let object = try JSONSerialization.jsonObject(with: Data(sampleReport().encodedJSON().utf8)) as? [String: Any]
        #expect(object?["schema"] as? String == "alertbus-swarm/1")
        #expect(object?["passed"] as? Bool == true)
        let raw = (object?["acknowledgement_us"] as? [String: Any])?["raw"] as? [String: Any]
        #expect(raw?["p99"] as? UInt64 == sampleReport().acknowledgement.raw.value(atPercentile: 99))
    }

    private func refusal(_ json: String) -> ReportError? {
        do throws(ReportError) {
            _ = try SwarmReport(json: json)
            return nil
        } catch { return error }
    }

    @Test(arguments: ["", "{", "passed: all\n", "{\"schema\":\"alertbus-swarm/1\",", "\u{0}"])
    func `what is no JSON is refused`(text: String) {
        guard case .notJSON(let cause)? = refusal(text) else {
            Issue.record("\(String(describing: refusal(text)))")
            return
        }
        #expect(!cause.isEmpty)
    }

    @Test(arguments: ["{}", "[]", "3", "\"alertbus-swarm/1\"", "{\"schema\":null}", "{\"v\":1,\"op\":\"ping\"}"])
    func `what is no report is refused`(text: String) {
        #expect(refusal(text) == .notAReport)
    }

    @Test func `another version is refused before its fields are looked at`() {
        #expect(refusal(#"{"schema":"alertbus-swarm/2","counts":7}"#) == .unknownSchema("alertbus-swarm/2"))
        #expect(
            "\(ReportError.unknownSchema("x/2"))".contains("\"x/2\"")
                && "\(ReportError.unknownSchema(""))".contains(SwarmReport.schema))
    }

    /// Each damage, and the place that the error has to name.
    @Test(arguments: [
        (#""sent":1000"#, #""sent":-1"#, "a number"), (#""sent":1000,"#, "", "counts.sent"),
        (#""sent":1000"#, #""sent":18446744073709551615"#, "counts"), (#""sent":1000"#, #""sent":"many""#, "counts.sent"),
        (#","title":"priority storm""#, "", "title"), (#""second":3"#, #""second":2"#, "timeline[3].second"),
        (#""second":3"#, #""second":1e99"#, "a number"), (#""name":"order""#, #""name":"chaos""#, "checks[2].name"),
        (#""name":"order""#, #""name":"lost""#, "checks"), (#""duration_s":20"#, #""duration_s":-1"#, "duration_s"),
        (#""buckets":["#, #""buckets":[5,1,"#, "acknowledgement_us.corrected.buckets"),
        (#""buckets":["#, #""buckets":[90000000000,1,"#, "acknowledgement_us.corrected.buckets"),
        (#""above_range":0"#, #""above_range":1"#, "acknowledgement_us.corrected.buckets"),
        (#""timeline":["#, #""timeline":[null,"#, "timeline[0]"),
    ])
    func `what is damaged is refused with its place`(old: String, new: String, place: String) throws {
        let json = sampleReport().encodedJSON()
        guard let range = json.range(of: old) else {
            Issue.record("there is no \(old)")
            return
        }
        let damaged = json.replacingCharacters(in: range, with: new)
        guard case .invalid(let found, let fault)? = refusal(damaged) else {
            Issue.record("\(String(describing: refusal(damaged)))")
            return
        }
        #expect(found == place)
        #expect(!fault.isEmpty)
    }

    /// Whatever is cut off or turned, the answer is an error or a report, and never a crash.
    @Test func `no damage crashes`() {
        let json = Array(sampleReport(seconds: 3).encodedJSON().utf8)
        var numbers = SplitMix64(seed: 3)
        var refused = 0
        for _ in 0..<300 {
            var bytes = json
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                bytes[Int.random(in: 0..<bytes.count, using: &numbers)] =
                    UInt8(ascii: "0") + UInt8.random(in: 0...9, using: &numbers)
            }
            do throws(ReportError) {
                let report = try SwarmReport(json: String(decoding: bytes, as: UTF8.self))
                #expect(ReportPage.render(.joined([report, report])).count > 1000)
            } catch {
                refused += 1
                #expect(!error.description.isEmpty)
            }
        }
        #expect(refused > 0)
    }
}
