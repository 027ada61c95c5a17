import AlertBusMeasure
import Glibc

/// Reports as files.
enum SwarmReports {
    /// Prints a report, and writes it where the command line says.
    static func publish(_ report: SwarmReport, _ arguments: Arguments) throws(CommandFailure) {
        if let path = arguments.text("json") { try write(report.encodedJSON() + "\n", to: path) }
        if let path = arguments.text("html") { try write(ReportPage.render(report), to: path) }
        StandardOutput.write(ReportText.render(report))
    }

    static func compare(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        let others = arguments.all("FILE")
        guard let first = arguments.text("compare"), others.count == 1 else {
            throw .usage("--compare takes two reports: --compare BEFORE.json AFTER.json")
        }
        let (before, after) = (try read(first), try read(others[0]))
        StandardOutput.write(ReportComparison.render(before, after))
        return ReportComparison.regressions(before, after).isEmpty ? .done : .faultsFound
    }

    static func join(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        let others = arguments.all("FILE")
        guard let first = arguments.text("join"), !others.isEmpty else {
            throw .usage("--join takes two reports or more: --join A.json B.json")
        }
        var reports = [try read(first)]
        for path in others { reports.append(try read(path)) }
        let joined = SwarmReport.joined(reports)
        try publish(joined, arguments)
        return joined.passed ? .done : .faultsFound
    }

    private static func read(_ path: String) throws(CommandFailure) -> SwarmReport {
        let text = String(decoding: try InputFile.read(path), as: UTF8.self)
        do throws(ReportError) {
            return try SwarmReport(json: text)
        } catch {
            throw .refused("\(Quoting.safe(path)): \(error)")
        }
    }

    static func write(_ text: String, to path: String) throws(CommandFailure) {
        guard let file = fopen(path, "we") else { throw failure(path, errno) }
        let isWritten = fputs(text, file) >= 0
        let error = errno
        if fclose(file) != 0 { throw failure(path, errno) }
        if !isWritten { throw failure(path, error) }
    }

    private static func failure(_ path: String, _ error: CInt) -> CommandFailure {
        .refused("\(Quoting.safe(path)): cannot be written: \(String(cString: strerror(error))) (errno \(error))")
    }

    /// This run as one part of a report that may be joined with others.
    static func part(_ report: SwarmReport) -> SwarmReport.Part {
        var part = SwarmReport.Part()
        part.command = Array(CommandLine.arguments.dropFirst())
        part.startedAt = report.startedAt
        part.duration = report.duration
        part.cores = UInt64(max(0, sysconf(CInt(_SC_NPROCESSORS_ONLN))))
        part.processor = processor
        return part
    }

    private static var processor: String {
        guard let file = fopen("/proc/cpuinfo", "re") else { return "" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard text.hasPrefix("model name"), let colon = text.firstIndex(of: ":") else { continue }
            return text[text.index(after: colon)...].split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return ""
    }
}
