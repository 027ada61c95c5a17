import AlertBusCore
import AlertBusModel
import Glibc

/// Measures the core alone: the time of a raise and an end with few and with very many alerts waiting on one surface, and
/// the memory that a waiting alert takes. Prints one JSON object; the ratios are what counts, the times are this machine's.
@main
struct CoreBenchmark {
    static let few = 1000
    static let many = 1_000_000
    static let operations = 200_000

    static func main() {
        var small = Screen(waiting: few)
        let before = residentBytes()
        var large = Screen(waiting: many)
        let perAlert = Double(residentBytes() - before) / Double(many)
        // In turn, so that a change of the machine's speed meets both.
        var smallTimes: [Double] = []
        var largeTimes: [Double] = []
        for _ in 0..<7 {
            smallTimes.append(small.nanosecondsPerOperation(operations))
            largeTimes.append(large.nanosecondsPerOperation(operations))
        }
        let a = smallTimes.sorted()[3]
        let b = largeTimes.sorted()[3]
        print(
            """
            {"raise_and_end_ns":{"\(few)":\(Int(a)),"\(many)":\(Int(b))},"ratio":\(round(b / a * 100) / 100),\
            "longest_step_us":{"\(few)":\(small.longest / 1000),"\(many)":\(large.longest / 1000)},\
            "bytes_per_waiting_alert":\(Int(perAlert))}
            """)
    }

    static func residentBytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
    }
}

/// One surface with a steady number of waiting alerts.
struct Screen {
    var arbiter: Arbiter
    var effects: [Effect] = []
    var next = 0
    var now: Milliseconds = 1000
    var longest: Int64 = 0
    /// Time inside the core since it was last asked.
    var spent: Int64 = 0
    let template = Array(#"{"title":"Door is open","body":"\#(String(repeating: "x", count: 205))"}"#.utf8)
    let requester = Requester(session: 1, producer: "load")

    init(waiting: Int) {
        var policy = Policy()
        policy.capacity = 10_000_000
        policy.activationDelay = 0
        arbiter = Arbiter(policies: PolicySet(fallback: policy))
        for _ in 0...waiting { raise() }
    }

    mutating func raise() {
        var content = AlertContent()
        content.priority = UInt8(next % 3 + 1)
        content.params = template
        // Bytes of its own for each alert, as they come from the wire.
        content.params[20] = UInt8(ascii: "a") + UInt8(next % 26)
        let raise = Raise(surface: "hall/screen", key: "alert-\(next)", content: content)
        next += 1
        step(.command(.raise(raise), from: requester))
    }

    /// One raise, one end of the shown alert and with it one election.
    mutating func nanosecondsPerOperation(_ count: Int) -> Double {
        spent = 0
        for _ in 0..<count {
            raise()
            step(.command(.dismiss(surface: "hall/screen", .top, revision: nil), from: requester))
        }
        return Double(spent) / Double(count)
    }

    private mutating func step(_ input: Input) {
        now += 1
        effects.removeAll(keepingCapacity: true)
        let start = nanoseconds()
        arbiter.step(input, at: now, into: &effects)
        let time = nanoseconds() - start
        spent += time
        longest = max(longest, time)
    }

    private func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
