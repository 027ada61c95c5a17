import AlertBusMeasure
import Foundation
import FoundationXML
import Testing

@Suite struct PageTests {
    private static let hostile = "</script><img src=x onerror=alert(1)> & \"'\u{0}\u{1B}\u{FFFE}"

    private func hostileReport() -> SwarmReport {
        var report = sampleReport()
        report.title = Self.hostile
        report.protocolName = Self.hostile
        report.setup.transport = Self.hostile
        report.setup.journal = Self.hostile
        report.counts.refused = [Self.hostile: 5]
        report.counts.ended = [Self.hostile: 5]
        report.checks[2].found(Self.hostile)
        report.parts[0].command = [Self.hostile]
        report.parts[0].processor = Self.hostile
        return report
    }

    @Test func `the page is well-formed, and each value is there`() throws {
        for report in [sampleReport(), SwarmReport(), .joined([sampleReport(seed: 1), sampleReport(seed: 2)])] {
            let page = try Document(ReportPage.render(report))
            #expect(page.count("h1") == 1)
            #expect(page.count("section") >= 4)
        }
        let page = try Document(ReportPage.render(sampleReport()))
        for word in ["priority storm", "Passed", "Nothing is lost", "9,000", "intercepted", "100 producers", "a processor"] {
            #expect(page.text.contains(word), "\(word)")
        }
        #expect(page.count("tr") > 20 + 1 + 10)
    }

    @Test func `the verdict comes before everything that was measured`() throws {
        var report = sampleReport()
        report.checks[0].found("hall/1 key door")
        let text = try Document(ReportPage.render(report)).text
        let failed = try #require(text.range(of: "Failed", range: text.range(of: "load test")!.upperBound..<text.endIndex))
        let finding = try #require(text.range(of: "hall/1 key door"))
        let times = try #require(text.range(of: "Times"))
        #expect(failed.lowerBound < finding.lowerBound && finding.lowerBound < times.lowerBound)
    }

    @Test func `every value from outside is escaped`() throws {
        let source = ReportPage.render(hostileReport())
        #expect(!source.contains("<img"))
        let page = try Document(source)
        let places =
            page.text.components(separatedBy: "</script><img src=x onerror=alert(1)> & \"'\u{FFFD}\u{FFFD}\u{FFFD}").count - 1
        // Title twice, facts, finding, two reasons, connection, protocol, journal, machine, command.
        #expect(places == 11)
        #expect(page.count("script") == 0 && page.count("img") == 0)
    }

    @Test func `nothing is loaded from elsewhere, and nothing runs`() throws {
        let source = ReportPage.render(sampleReport())
        let page = try Document(source)
        for name in ["script", "link", "iframe", "img", "object", "embed", "base", "use", "image", "form"] {
            #expect(page.count(name) == 0, "\(name)")
        }
        for attribute in page.attributes {
            #expect(!["src", "href", "srcset", "action", "background", "xlink:href"].contains(attribute.name), "\(attribute)")
            #expect(!attribute.name.hasPrefix("on"), "\(attribute)")
        }
        for word in ["url(", "@import", "http://", "https://"] {
            #expect(!source.replacingOccurrences(of: "xmlns=\"http://www.w3.org/1999/xhtml\"", with: "").contains(word), "\(word)")
        }
    }

    @Test func `each plot has a title, a text for those who cannot see it, and lines`() throws {
        let page = try Document(ReportPage.render(sampleReport()))
        let plots = page.elements.filter { $0.name == "svg" && $0.attributes["role"] == "img" }
        #expect(plots.count == 4)
        #expect(page.count("desc") == plots.count)
        let names = page.attributes.filter { $0.name == "id" }.map(\.value)
        #expect(Set(names).count == names.count)
        for plot in plots {
            let labels = try #require(plot.attributes["aria-labelledby"]).split(separator: " ").map(String.init)
            #expect(labels.count == 2 && labels.allSatisfy(names.contains))
        }
        #expect(page.text.contains("Sent: 50/s to 50/s."))
        #expect(page.text.contains("time since the beginning") && page.text.contains("percentile"))
        #expect(page.text.contains("Resident: 38.1 MiB to 38.2 MiB."))
        for path in page.elements where path.name == "path" {
            let line = try #require(path.attributes["d"])
            #expect(line.hasPrefix("M") && !line.contains("nan") && !line.contains("inf"), "\(line)")
        }
    }

    @Test func `a day is as readable as a minute`() {
        var report = sampleReport()
        report.timeline = (0..<50_000).map { second in
            var entry = SwarmReport.Second(second: second)
            entry.sent = 50
            entry.acknowledgement = .init(p50: UInt64(100 + second % 50), p99: UInt64(500 + second % 70))
            return entry
        }
        let page = ReportPage.render(report)
        #expect(page.utf8.count < 400_000)
        #expect(page.contains("In steps of 84 seconds") && page.contains("Each point stands for 84 seconds"))
    }

    @Test func `a second without anything is a hole in the times and zero in the rates`() throws {
        var report = sampleReport()
        report.timeline.removeSubrange(5..<8)
        let page = try Document(ReportPage.render(report))
        #expect(page.text.contains("Sent: 0/s to 50/s."))
        let lines = page.elements.compactMap { $0.name == "path" ? $0.attributes["d"] : nil }
        #expect(lines.contains { $0.filter { $0 == "M" }.count == 2 && $0.contains("L") })
    }
}

/// A document read by a parser that forgives nothing.
private final class Document: NSObject, XMLParserDelegate {
    struct Element {
        var name: String
        var attributes: [String: String]
    }

    private(set) var elements: [Element] = []
    private(set) var text = ""

    var attributes: [(name: String, value: String)] { elements.flatMap { $0.attributes.map { (name: $0.key, value: $0.value) } } }

    init(_ source: String) throws {
        super.init()
        let parser = XMLParser(data: Data(source.utf8))
        parser.delegate = self
        guard parser.parse() else {
            throw parser.parserError ?? CocoaError(.fileReadCorruptFile)
        }
    }

    func count(_ name: String) -> Int { elements.count { $0.name == name } }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements.append(Element(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
}
