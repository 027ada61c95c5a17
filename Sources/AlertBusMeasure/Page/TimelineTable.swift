/// The numbers behind the plots, second by second, folded away.
struct TimelineTable {
    private struct Column {
        var name: String
        var text: (SwarmReport.Second) -> String?
    }

    private let timeline: CondensedTimeline

    init(_ timeline: CondensedTimeline) { self.timeline = timeline }

    func draw(into page: inout Markup) {
        guard !timeline.entries.isEmpty else { return }
        // What nobody measured has no column.
        let columns = columns.filter { column in timeline.entries.contains { column.text($0) != nil } }
        page.element("details") { page in
            page.element("summary", text: timeline.width == 1 ? "Second by second" : "In steps of \(timeline.width) seconds")
            PageTables.scrolled("Second by second", &page) { page in
                PageTables.header(["Second"] + columns.map(\.name), &page)
                page.element("tbody") { page in
                    for entry in timeline.entries {
                        page.element("tr") { page in
                            page.element("th", ["scope": "row"], text: Figure.count(UInt64(entry.second)))
                            for column in columns { page.element("td", text: column.text(entry) ?? "") }
                        }
                        page.newline()
                    }
                }
            }
        }
    }

    private var columns: [Column] {
        [
            Column(name: "Sent") { Figure.count($0.sent) },
            Column(name: "Acknowledged") { Figure.count($0.acknowledged) },
            Column(name: "Shown") { Figure.count($0.shown) },
            Column(name: "Ended") { Figure.count($0.ended) },
            Column(name: "Acknowledgement p50") { $0.acknowledgement.map { Figure.time($0.p50) } },
            Column(name: "p99") { $0.acknowledgement.map { Figure.time($0.p99) } },
            Column(name: "Time to screen p50") { $0.timeToScreen.map { Figure.time($0.p50) } },
            Column(name: "p99") { $0.timeToScreen.map { Figure.time($0.p99) } },
            Column(name: "Answer p50") { $0.answer.map { Figure.time($0.p50) } },
            Column(name: "p99") { $0.answer.map { Figure.time($0.p99) } },
            Column(name: "Memory") { $0.residentBytes.map { Figure.bytes($0) } },
            Column(name: "Open files") { $0.descriptors.map { Figure.count($0) } },
        ]
    }
}
