import Glibc
import ZeroMQ

extension ServiceBenchmark {
    /// The time until an alert that covers another one is with the screen, while others load the arbiter with four fifths of what it can do.
    ///
    /// - Parameter load: the program Load.
    static func preempting(_ arbiter: ArbiterProcess, _ context: Context, load: String) throws {
        guard !load.isEmpty else { fail("preempting needs --load") }
        for journal in ["memory", nil] as [String?] {
            arbiter.start(journal: journal)
            let report = "\(arbiter.folder)/load.json"
            var flood = spawn([load, "--requests", arbiter.requests, "--duration", "4", "--warmup", "1"], output: report)
            waitpid(flood, nil, 0)
            let capacity = number("messages_per_second", in: read(report))
            guard capacity > 0 else { fail("the load brought no figure: \(read(report))") }
            let rate = Int(capacity * 0.8)
            let quiet = try screenTimes(arbiter, context, seconds: 4, surface: "probe/quiet")
            flood = spawn(
                [
                    load, "--requests", arbiter.requests, "--rate", "\(rate)", "--duration", "14", "--warmup", "1", "--prefix",
                    "flood",
                ],
                output: report)
            sleep(2)
            let times = try screenTimes(arbiter, context, seconds: 11, surface: "probe/flooded")
            waitpid(flood, nil, 0)
            let reached = number("messages_per_second", in: read(report))
            arbiter.stop()
            print(
                #"{"preempting":{"journal":"\#(journal ?? "file")","capacity":\#(Int(capacity)),"offered":\#(rate),"reached":\#(Int(reached)),"samples":\#(times.count),"p50_ms":\#(milliseconds(percentile(times, 0.5))),"p99_ms":\#(milliseconds(percentile(times, 0.99))),"most_ms":\#(milliseconds(times.last!)),"quiet_p99_ms":\#(milliseconds(percentile(quiet, 0.99)))}}"#
            )
        }
    }

    /// Raises every ten milliseconds over a shown alert, and takes it away when it is there. In the order of size.
    private static func screenTimes(
        _ arbiter: ArbiterProcess, _ context: Context, seconds: Int, surface: String
    ) throws -> [Int64] {
        let producer = try Peer(context, arbiter.requests)
        let screen = try Peer(context, arbiter.requests)
        try screen.send(#"{"v":1,"op":"subscribe","ref":1,"surface":"\#(surface)"}"#)
        _ = try screen.wait(for: #""op":"snapshot""#)
        try producer.send(#"{"v":1,"op":"raise","ref":1,"surface":"\#(surface)","key":"base","priority":1}"#)
        _ = try screen.wait(for: #""op":"show""#)
        var times: [Int64] = []
        let start = microseconds()
        var number: Int64 = 0
        while microseconds() - start < Int64(seconds) * 1_000_000 {
            number += 1
            // Open loop: counted from when it was to be sent.
            let due = start + number * 10_000
            let early = due - microseconds()
            if early > 0 { usleep(UInt32(early)) }
            try producer.send(
                #"{"v":1,"op":"raise","ref":2,"surface":"\#(surface)","key":"urgent-\#(number)","priority":3}"#)
            _ = try screen.wait(for: #""op":"show""#, #""key":"urgent-\#(number)""#)
            times.append(microseconds() - due)
            try producer.send(#"{"v":1,"op":"withdraw","ref":3,"surface":"\#(surface)","key":"urgent-\#(number)"}"#)
            _ = try screen.wait(for: #""op":"show""#, #""key":"base""#)
            while try producer.receive(within: 0) != nil {}
        }
        return times.sorted()
    }

    private static func percentile(_ sorted: [Int64], _ part: Double) -> Int64 {
        sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }

    private static func number(_ name: String, in json: String) -> Double {
        guard let start = json.range(of: "\"\(name)\":") else { return 0 }
        return Double(json[start.upperBound...].drop { $0 == " " }.prefix { $0.isNumber || $0 == "." }) ?? 0
    }
}

extension StringProtocol {
    /// Where a text stands first.
    fileprivate func range(of text: String) -> Range<Index>? {
        var place = startIndex
        while place < endIndex {
            if self[place...].hasPrefix(text) { return place..<index(place, offsetBy: text.count) }
            formIndex(after: &place)
        }
        return nil
    }
}
