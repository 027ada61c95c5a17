import AlertBus
import AlertBusWire
import TestSupport

/// Subscribers in a process of their own, each with its own connection.
final class ScreenProcess: Sendable {
    let process: ChildProcess
    let scopes: [String]

    /// What one subscriber has drawn and met.
    struct Report: Sendable {
        /// The digest of what is drawn, and where the stream stands, by surface.
        var screens: [String: Position] = [:]
        var link = ""
        var events = 0
        var reconnects = 0
        var repairs: [String: Int] = [:]
        var faults: [String] = []

        struct Position: Equatable, Sendable {
            var epoch: UInt64
            var seq: UInt64
            var digest: String
        }

        var repairCount: Int { repairs.values.reduce(0, +) }
        var causes: String {
            repairs.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        }
    }

    /// - Parameter scopes: one subscriber each; commas part the scopes of one.
    init(_ requests: String, _ scopes: [String]) throws {
        self.scopes = scopes
        process = try ChildProcess("HealingSupport", [requests] + scopes)
    }

    func reports(seconds: Int = 30) async throws -> [Report] {
        process.write("report\n")
        let value = try JSONValue(parsing: try await process.line(seconds: seconds))
        return (value.array ?? []).map(Self.report)
    }

    /// Of the only subscriber.
    func report() async throws -> Report {
        guard let report = try await reports().first else { throw Failure("no subscriber reports") }
        return report
    }

    private static func report(_ value: JSONValue) -> Report {
        var report = Report()
        report.link = value["link"]?.string ?? ""
        report.events = value["events"]?.integer ?? -1
        report.reconnects = value["reconnects"]?.integer ?? -1
        for member in value["repairs"]?.members ?? [] { report.repairs[member.name] = member.value.integer }
        report.faults = (value["faults"]?.array ?? []).compactMap(\.string)
        for member in value["screens"]?.members ?? [] {
            guard let parts = member.value.array, parts.count == 3 else { continue }
            report.screens[member.name] = .init(
                epoch: UInt64(parts[0].integer ?? 0), seq: UInt64(parts[1].integer ?? 0), digest: parts[2].string ?? "")
        }
        return report
    }
}

extension ScreenProcess.Report {
    /// Where this screen differs from what the arbiter wants; empty when it is right.
    func differences(from wanted: [SurfaceSnapshot], in scopes: String) -> [String] {
        let parsed = scopes.split(separator: ",").compactMap { try? SurfaceScope(String($0)) }
        let here = wanted.filter { snapshot in parsed.contains { $0.contains(snapshot.surface) } }
        var found: [String] = []
        for snapshot in here {
            let position = Position(epoch: snapshot.epoch, seq: snapshot.seq, digest: ScreenDigest(of: snapshot.shown).text)
            if screens[snapshot.surface] != position {
                found.append(
                    "\(snapshot.surface): \(screens[snapshot.surface].map { "\($0)" } ?? "nothing") instead of \(position)")
            }
        }
        for surface in screens.keys where !here.contains(where: { $0.surface == surface }) {
            found.append("\(surface) should not be there")
        }
        return found
    }
}
