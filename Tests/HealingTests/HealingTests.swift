import AlertBus
import Glibc
import TestSupport
import Testing

/// "It must show", sentence by sentence, with real processes. One after the other: each takes the time of others.
@Suite("Healing", .serialized)
struct HealingTests {
    /// Waits until every subscriber of a process has drawn what the arbiter wants.
    /// - Returns: their reports.
    @discardableResult
    func settled(
        _ screens: ScreenProcess, _ requests: String, seconds: Int = 20
    ) async throws -> [ScreenProcess.Report] {
        var reports: [ScreenProcess.Report] = []
        var differences: [String] = []
        do {
            try await poll(seconds: seconds, "the right screens") {
                let wanted = try await wanted(requests)
                reports = try await screens.reports()
                differences = zip(reports, screens.scopes).flatMap { $0.differences(from: wanted, in: $1) }
                return differences.isEmpty && reports.allSatisfy { $0.link == "connected" }
            }
        } catch {
            throw Failure("\(error): \(differences.prefix(5)); links \(Set(reports.map(\.link)))")
        }
        for (report, scope) in zip(reports, screens.scopes) { #expect(report.faults.isEmpty, "\(scope): \(report.faults)") }
        return reports
    }

    /// A raise as text, never waiting.
    static func raise(_ surface: String, _ key: String, params: String? = nil, ref: String = "1") -> String {
        let params = params.map { #","params":{"text":"\#($0)"}"# } ?? ""
        return #"{"v":1,"op":"raise","ref":\#(ref),"surface":"\#(surface)","key":"\#(key)","intercept":false\#(params)}"#
    }

    static func withdraw(_ surface: String, _ key: String) -> String {
        #"{"v":1,"op":"withdraw","ref":1,"surface":"\#(surface)","key":"\#(key)"}"#
    }

    static func update(_ surface: String, _ key: String, text: String) -> String {
        #"{"v":1,"op":"update","ref":1,"surface":"\#(surface)","key":"\#(key)","params":{"text":"\#(text)"}}"#
    }
}
