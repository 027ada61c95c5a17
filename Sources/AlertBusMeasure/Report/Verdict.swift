/// The answer to the first question: was anything lost?
struct Verdict: Equatable {
    enum Kind: String { case passed, failed, incomplete }

    var kind: Kind
    /// One or two words.
    var headline: String
    /// One sentence.
    var sentence: String

    init(_ report: SwarmReport) {
        let failed = report.checks.filter { !$0.passed }
        let missing = SwarmReport.Check.Name.allCases.filter { name in !report.checks.contains { $0.name == name } }
        if !failed.isEmpty {
            kind = .failed
            headline = "Failed"
            sentence =
                failed.map { "\(Figure.count($0.findings)) \($0.name.fault(isOne: $0.findings == 1))" }.joined(separator: ", ")
                + "."
        } else if report.checks.isEmpty {
            kind = .incomplete
            headline = "Incomplete"
            sentence = "Nothing was checked."
        } else if !missing.isEmpty {
            kind = .incomplete
            headline = "Incomplete"
            sentence =
                "What was looked at is right, but nobody looked at this: "
                + missing.map { "\($0.promise.lowercasedFirst)" }.joined(separator: "; ") + "."
        } else if report.counts.acknowledged == 0 {
            kind = .incomplete
            headline = "Incomplete"
            sentence = "Nothing was wrong, but no command was acknowledged either: there was nothing to look at."
        } else {
            kind = .passed
            headline = "Passed"
            let isAnswered = report.checks.contains { $0.name == .answered && $0.examined > 0 }
            sentence =
                "Nothing was lost, doubled or out of order, every accepted alert ended, and "
                + (isAnswered ? "every answer arrived." : "nobody answered.")
        }
    }
}

extension SwarmReport.Check.Name {
    /// What follows the number of findings.
    fileprivate func fault(isOne: Bool) -> String {
        switch self {
        case .lost: "lost"
        case .doubled: "doubled"
        case .order: "out of order"
        case .ended: isOne ? "accepted alert without its one end" : "accepted alerts without their one end"
        case .answered: isOne ? "answer that did not arrive" : "answers that did not arrive"
        }
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
