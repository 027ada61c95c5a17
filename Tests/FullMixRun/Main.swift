import FullMix
import Glibc

/// Two hours with everything at once, on a simulated clock: `FullMixRun DIRECTORY [HOURS] [SEED]`.
@main
struct Main {
    /// Resident memory may grow by so much in a simulated hour.
    static let memoryBound = 4.0

    static func main() {
        let words = CommandLine.arguments.dropFirst()
        guard let directory = words.first, let hours = Double(words.dropFirst().first ?? "2"), hours > 0,
            let seed = UInt64(words.dropFirst(2).first ?? "1")
        else {
            complain("usage: FullMixRun DIRECTORY [HOURS] [SEED]")
            exit(2)
        }
        var plan = FullMix.Plan(directory: directory)
        plan.duration = Int64(hours * 3_600_000)
        plan.seed = seed
        do {
            let report = try FullMix(plan).run { report in
                let minutes = report.simulated / 60_000
                if minutes % 10 == 0 {
                    say("\(minutes) simulated minutes: \(mebibytes(report.memory.last)) MiB resident, \(report.checks) checks")
                }
            }
            exit(tell(report) ? 0 : 1)
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    private static func tell(_ report: MixReport) -> Bool {
        let seconds = Double(report.simulated) / 1000
        let slope = report.memory.slope / 1_048_576
        say(
            """
            seed \(report.seed), \(Int(seconds)) simulated seconds, \(report.restarts) restarts, \(report.reloads) other configurations
            \(report.messages) messages of peers, \(Int(Double(report.messages) / seconds)) a simulated second; \(report.inputs) inputs of the core
            \(report.checks) checks of all invariants, \(report.screensCompared) comparisons of screens, \(report.repairs) repairs by screens
            replay of the whole journal: digest \(report.digest ?? "none"), the same; \(report.snapshotsCompared) snapshots the same
            at most \(report.mostAlerts) alerts; refused \(report.counters["refused"] ?? 0), malformed \(report.counters["malformed"] ?? 0), \
            backlogs dropped \(report.counters["backlogs_dropped"] ?? 0)
            reasons: \(report.reasons.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", "))
            resident: \(mebibytes(report.memory.first)) MiB at the start, \(mebibytes(report.memory.middle)) in the middle, \
            \(mebibytes(report.memory.last)) at the end; \(rounded(slope)) MiB a simulated hour
            """)
        var isGood = true
        for reason in report.missingReasons {
            say("never happened: \(reason.rawValue)")
            isGood = false
        }
        for limit in report.limitsNotMet {
            say("never reached: the limit \(limit)")
            isGood = false
        }
        // A few minutes say nothing of an hour, and a slow screen needs some to fall behind.
        if report.simulated < 1_800_000 { return isGood }
        if report.counters["backlogs_dropped"] ?? 0 == 0 {
            say("no backlog was ever dropped")
            isGood = false
        }
        if slope > memoryBound {
            say("the memory grows by more than \(memoryBound) MiB a simulated hour")
            isGood = false
        }
        return isGood
    }

    private static func say(_ text: String) {
        print(text)
        fflush(nil)
    }

    private static func complain(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    private static func mebibytes(_ bytes: Int) -> Int { bytes >> 20 }
    private static func rounded(_ number: Double) -> String {
        "\(number < 0 ? "-" : "+")\(Double((abs(number) * 10).rounded()) / 10)"
    }
}
