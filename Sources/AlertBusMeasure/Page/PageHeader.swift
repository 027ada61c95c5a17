/// The top of the page: what ran, whether anything was lost, and the four figures that people ask for.
struct PageHeader {
    private let report: SwarmReport
    private let verdict: Verdict

    init(_ report: SwarmReport) {
        self.report = report
        verdict = Verdict(report)
    }

    func draw(into page: inout Markup) {
        page.element("header") { page in
            page.element("p", ["class": "kind"], text: "AlertBus load test")
            page.element("h1", text: report.title.isEmpty ? "Swarm" : report.title)
            page.element("p", ["class": "facts"], text: facts)
            page.element("section", ["class": "verdict \(verdict.kind.rawValue)", "aria-labelledby": "verdict"]) { page in
                page.element("h2", ["id": "verdict"]) { page in
                    page.element(
                        "span", ["class": "sign", "aria-hidden": "true"],
                        text: verdict.kind == .incomplete ? "?" : sign(verdict.kind == .passed))
                    page.text(verdict.headline)
                }
                page.element("p", text: verdict.sentence)
                checks(&page)
            }
            tiles(&page)
        }
        page.newline()
    }

    private var facts: String {
        let began = report.startedAt == 0 ? "" : "\(Figure.date(report.startedAt)) · "
        return began
            + report.circumstances.filter { ["Load", "Connection"].contains($0.name) }.map(\.value).joined(separator: " · ")
    }

    private func sign(_ isGood: Bool) -> String { isGood ? "✓" : "✗" }

    private func checks(_ page: inout Markup) {
        page.element("ul", ["class": "checks"]) { page in
            for check in report.checks {
                page.element("li", ["class": check.passed ? "good" : "bad"]) { page in
                    let words = check.passed ? "yes" : "no"
                    page.element("span", ["class": "sign", "role": "img", "aria-label": words], text: sign(check.passed))
                    page.element("strong", text: check.name.promise)
                    page.element("small", text: examined(check))
                    if !check.examples.isEmpty { findings(check, &page) }
                }
            }
        }
    }

    private func examined(_ check: SwarmReport.Check) -> String {
        let found = check.passed ? "" : "\(Figure.count(check.findings)) of "
        return check.examined == 0 && check.passed ? "nothing to look at" : "\(found)\(Figure.count(check.examined)) looked at"
    }

    private func findings(_ check: SwarmReport.Check, _ page: inout Markup) {
        page.element("ol", ["class": "findings"]) { page in
            for example in check.examples { page.element("li", text: example) }
        }
        let rest = check.findings - min(check.findings, UInt64(check.examples.count))
        if rest > 0 { page.element("small", text: "and \(Figure.count(rest)) more") }
    }

    private func tiles(_ page: inout Markup) {
        page.element("dl", ["class": "tiles"]) { page in
            tile("Acknowledged", Figure.rate(report.acknowledgedRate), "\(Figure.count(report.counts.acknowledged)) in all", &page)
            for (name, _, latency) in report.latencies {
                let values = latency.corrected.values(atPercentiles: [50, 99])
                let note = "half within \(Figure.time(values[0]))" + (latency.corrected == latency.raw ? "" : "; corrected")
                tile("\(name), p99", Figure.time(values[1]), note, &page)
            }
            if let most = report.timeline.compactMap(\.residentBytes).max() {
                tile("Memory of the arbiter", Figure.bytes(most), "at most", &page)
            }
        }
    }

    private func tile(_ name: String, _ value: String, _ note: String, _ page: inout Markup) {
        page.element("div") { page in
            page.element("dt", text: name)
            page.element("dd") { page in
                page.element("b", text: value)
                page.element("small", text: note)
            }
        }
    }
}
