/// A report as one HTML page: no scripts, nothing loaded from elsewhere, light and dark as the reader's system is set.
public enum ReportPage {
    /// The whole document, also well-formed as XML.
    public static func render(_ report: SwarmReport) -> String {
        let timeline = CondensedTimeline(report.timeline)
        var page = Markup()
        page.constant("<!DOCTYPE html>\n")
        page.element("html", ["lang": "en", "xmlns": "http://www.w3.org/1999/xhtml"]) { page in
            page.element("head") { page in head(report, &page) }
            page.newline()
            page.element("body") { page in
                PageHeader(report).draw(into: &page)
                page.element("main") { page in
                    PageTables.times(report, &page)
                    page.element("div", ["class": "plots"]) { page in
                        for plot in ReportPlots(report, timeline).all { plot.draw(into: &page) }
                    }
                    page.element("div", ["class": "columns"]) { page in
                        PageTables.counts(report, &page)
                        PageTables.circumstances(report, &page)
                    }
                    TimelineTable(timeline).draw(into: &page)
                }
            }
        }
        page.newline()
        return page.source
    }

    private static func head(_ report: SwarmReport, _ page: inout Markup) {
        page.empty("meta", ["charset": "utf-8"])
        page.empty("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
        page.empty("meta", ["name": "color-scheme", "content": "light dark"])
        page.element("title", text: "\(Verdict(report).headline): \(report.title.isEmpty ? "swarm" : report.title)")
        page.newline()
        page.style(String(decoding: PackageResources.report_css, as: UTF8.self))
    }
}
