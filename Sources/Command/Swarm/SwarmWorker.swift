import AlertBusMeasure
import AlertBusSwarm
import AlertBusWire
import Glibc

/// One of several processes of a swarm: does its share, and tells the one that started it in lines on its standard output.
///
/// `ready`, then for the answer `begin MILLISECONDS` on its standard input the load, `progress …` each second, and at the end `report`
/// and the report as JSON; or `failed CODE MESSAGE`.
enum SwarmWorker {
    /// `INDEX/COUNT`, set by the process that starts it.
    static let variable = "ALERTBUS_SWARM_SHARE"

    static var share: SwarmOptions.Share? {
        guard let text = getenv(variable).map({ String(cString: $0) }) else { return nil }
        let numbers = text.split(separator: "/").compactMap { Int($0) }
        guard numbers.count == 2, numbers[0] >= 0, numbers[0] < numbers[1] else { return nil }
        return SwarmOptions.Share(index: numbers[0], count: numbers[1])
    }

    static func run(
        _ settings: SwarmSettings, _ share: SwarmOptions.Share, _ arguments: Arguments
    ) throws(CommandFailure) -> ExitCode {
        ParentWatch.begin()
        let interruptions = Interruptions()
        var options = settings.options
        options.share = share
        options.startAt = nil
        var hooks = SwarmHooks()
        hooks.interruptions = { interruptions.count }
        hooks.progress = { StandardOutput.line("progress " + WorkerProgress.text($0)) }
        hooks.begin = {
            StandardOutput.line("ready")
            return beginning(interruptions)
        }
        do throws(SwarmError) {
            let report = try Swarm(options, hooks).run()
            StandardOutput.line("report")
            StandardOutput.write(report.encodedJSON())
            return .done
        } catch {
            StandardOutput.line("failed \(error)")
            return .refused
        }
    }

    private static func beginning(_ interruptions: Interruptions) -> Int64? {
        var text: [UInt8] = []
        while interruptions.count == 0 {
            var item = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&item, 1, 100) > 0 else { continue }
            var byte: UInt8 = 0
            guard read(STDIN_FILENO, &byte, 1) == 1 else { return nil }
            if byte != UInt8(ascii: "\n") {
                text.append(byte)
                continue
            }
            return String(decoding: text, as: UTF8.self).split(separator: " ").last.flatMap { Int64($0) }
        }
        return nil
    }
}

/// Progress as numbers in a line.
enum WorkerProgress {
    static func text(_ progress: SwarmProgress) -> String {
        let second = progress.second
        var numbers: [UInt64] = [
            UInt64(progress.done * 1000), UInt64(max(0, second.second)), second.sent, second.acknowledged, second.shown,
            second.ended,
            UInt64(progress.ready), UInt64(progress.connections), UInt64(progress.living), progress.findings,
        ]
        for times in [second.acknowledgement, second.timeToScreen, second.answer] { numbers += [times?.p50 ?? 0, times?.p99 ?? 0] }
        return ([progress.phase.rawValue] + numbers.map { "\($0)" }).joined(separator: " ")
    }

    static func read(_ text: Substring) -> SwarmProgress? {
        let words = text.split(separator: " ")
        let numbers = words.dropFirst().compactMap { UInt64($0) }
        guard let phase = words.first.flatMap({ SwarmProgress.Phase(rawValue: String($0)) }), numbers.count == 16 else {
            return nil
        }
        var progress = SwarmProgress()
        progress.phase = phase
        progress.done = Double(numbers[0]) / 1000
        progress.second = SwarmReport.Second(second: Int(clamping: numbers[1]))
        progress.second.sent = numbers[2]
        progress.second.acknowledged = numbers[3]
        progress.second.shown = numbers[4]
        progress.second.ended = numbers[5]
        progress.ready = Int(clamping: numbers[6])
        progress.connections = Int(clamping: numbers[7])
        progress.living = Int(clamping: numbers[8])
        progress.findings = numbers[9]
        func times(_ place: Int) -> SwarmReport.Second.Percentiles? {
            numbers[place + 1] == 0 ? nil : .init(p50: numbers[place], p99: numbers[place + 1])
        }
        progress.second.acknowledgement = times(10)
        progress.second.timeToScreen = times(12)
        progress.second.answer = times(14)
        return progress
    }

    /// What all of them do together.
    static func joined(_ all: [SwarmProgress]) -> SwarmProgress {
        var whole = all[0]
        for other in all.dropFirst() {
            whole.done = min(whole.done, other.done)
            whole.second.second = max(whole.second.second, other.second.second)
            whole.second.sent += other.second.sent
            whole.second.acknowledged += other.second.acknowledged
            whole.second.shown += other.second.shown
            whole.second.ended += other.second.ended
            whole.ready += other.ready
            whole.connections += other.connections
            whole.living += other.living
            whole.findings += other.findings
            whole.second.acknowledgement = worse(whole.second.acknowledgement, other.second.acknowledgement)
            whole.second.timeToScreen = worse(whole.second.timeToScreen, other.second.timeToScreen)
            whole.second.answer = worse(whole.second.answer, other.second.answer)
        }
        return whole
    }

    private static func worse(
        _ a: SwarmReport.Second.Percentiles?, _ b: SwarmReport.Second.Percentiles?
    ) -> SwarmReport.Second.Percentiles? {
        guard let a, let b else { return a ?? b }
        return .init(p50: max(a.p50, b.p50), p99: max(a.p99, b.p99))
    }
}
