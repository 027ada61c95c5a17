/// Why a text is not a report that this program can read.
public enum ReportError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It is not JSON at all; with what the parser says.
    case notJSON(String)
    /// It is JSON without the mark of a report.
    case notAReport
    /// It is a report of another version.
    case unknownSchema(String)
    /// A part of it is missing or wrong; with its place, such as `timeline[3].sent`.
    case invalid(place: String, fault: String)

    public var description: String {
        switch self {
        case .notJSON(let cause):
            "this is not JSON (\(cause)); give the file that `alertbus swarm` wrote as its JSON report"
        case .notAReport:
            "this is JSON, but no report of a swarm: it has no \"schema\"; give the file that `alertbus swarm` wrote as its JSON report"
        case .unknownSchema(let found):
            "this report has the schema \"\(found)\", and this program reads \"\(SwarmReport.schema)\"; read it with the version of "
                + "alertbus that wrote it, or run the swarm again"
        case .invalid(let place, let fault):
            "this report is damaged: \(place) \(fault); take an unchanged copy, or run the swarm again"
        }
    }
}
