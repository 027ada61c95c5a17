/// The tables below the verdict.
enum PageTables {
    static func times(_ report: SwarmReport, _ page: inout Markup) {
        page.element("section") { page in
            page.element("h2", text: "Times")
            guard !report.latencies.isEmpty else {
                page.element("p", text: "Nothing was measured.")
                return
            }
            scrolled("Times", &page) { page in
                let names = SwarmReport.percentiles.map { "p\(Figure.percentile($0))" }
                header(["Kind"] + names + ["Longest", "Mean", "Number"], &page)
                page.element("tbody") { page in
                    for (name, meaning, latency) in report.latencies {
                        row(name, meaning, latency.raw, &page)
                        if latency.corrected != latency.raw {
                            row("corrected", "from when each was due", latency.corrected, &page)
                        }
                    }
                }
            }
        }
        page.newline()
    }

    private static func row(_ name: String, _ meaning: String, _ histogram: Histogram, _ page: inout Markup) {
        page.element("tr", ["class": name == "corrected" ? "part" : ""]) { page in
            page.element("th", ["scope": "row"]) { page in
                page.text(name)
                page.element("small", text: meaning)
            }
            for value in histogram.values(atPercentiles: SwarmReport.percentiles) { page.element("td", text: Figure.time(value)) }
            page.element("td", text: Figure.time(histogram.max))
            page.element("td", text: Figure.time(histogram.mean))
            page.element("td", text: Figure.count(histogram.count))
        }
    }

    static func counts(_ report: SwarmReport, _ page: inout Markup) {
        page.element("section") { page in
            page.element("h2", text: "Counts")
            scrolled("Counts", &page) { page in
                header(["What", "Number", "A second"], &page)
                page.element("tbody") { page in
                    for row in report.countRows {
                        page.element("tr", ["class": row.isPart ? "part" : ""]) { page in
                            page.element("th", ["scope": "row"], text: row.name)
                            page.element("td", text: Figure.count(row.value))
                            let isRate = row.value > 0 && report.duration > 0
                            page.element("td", text: isRate ? Figure.rate(Double(row.value) / report.duration) : "")
                        }
                    }
                }
            }
        }
        page.newline()
    }

    static func circumstances(_ report: SwarmReport, _ page: inout Markup) {
        page.element("section") { page in
            page.element("h2", text: "Circumstances")
            page.element("dl", ["class": "circumstances"]) { page in
                for (name, value) in report.circumstances {
                    page.element("dt", text: name)
                    page.element("dd") { page in name == "Command" ? page.element("code", text: value) : page.text(value) }
                }
            }
        }
        page.newline()
    }

    /// A table that scrolls by itself where the screen is too narrow, also with the keyboard.
    static func scrolled(_ name: String, _ page: inout Markup, _ content: (inout Markup) -> Void) {
        page.element("div", ["class": "scrolled", "tabindex": "0", "role": "region", "aria-label": name]) { page in
            page.element("table", [:], content)
        }
    }

    static func header(_ names: [String], _ page: inout Markup) {
        page.element("thead") { page in
            page.element("tr") { page in
                for name in names { page.element("th", ["scope": "col"], text: name) }
            }
        }
    }
}
