/// A plot of lines, drawn as SVG. The labels of the axes are text of the page around it, so that they keep their size on narrow screens.
struct Plot {
    struct Series {
        var name: String
        /// Which of the page's colours, 1 to 4.
        var colour: Int
        var isDashed = false
        /// In ascending order of x; nil is a hole in the line.
        var points: [(x: Double, y: Double)?]
    }

    /// Unique on its page: letters and hyphens.
    var name: String
    var title: String
    /// What is drawn and how to read it, one or two sentences.
    var meaning: String
    var xTitle: String
    var yTitle: String
    var x: Axis
    var y: Axis
    var series: [Series]
    /// Takes the whole width of the page.
    var isWide = false

    private static let width = 1000.0
    private static let height = 300.0

    func draw(into page: inout Markup) {
        page.element("figure", ["class": isWide ? "plot wide" : "plot"]) { page in
            page.element("figcaption") { page in
                page.element("h3", text: title)
                page.element("p", text: meaning)
                legend(&page)
            }
            page.element("div", ["class": "y-title", "aria-hidden": "true"], text: yTitle)
            page.element("div", ["class": "chart"]) { page in
                page.element("div", ["class": "y", "aria-hidden": "true"]) { page in
                    for tick in y.ticks { label(tick, "bottom", y, &page) }
                }
                drawing(&page)
                page.element("div", ["class": "x", "aria-hidden": "true"]) { page in
                    for tick in x.ticks { label(tick, "left", x, &page) }
                }
            }
            page.element("div", ["class": "x-title", "aria-hidden": "true"], text: xTitle)
        }
        page.newline()
    }

    private func legend(_ page: inout Markup) {
        page.element("ul", ["class": "legend"]) { page in
            for line in series {
                page.element("li") { page in
                    page.element("svg", ["viewBox": "0 0 24 8", "aria-hidden": "true"]) { page in
                        page.empty("path", ["class": style(line), "d": "M0 4H24"])
                    }
                    page.text(line.name)
                }
            }
        }
    }

    private func label(_ tick: Axis.Tick, _ side: String, _ axis: Axis, _ page: inout Markup) {
        page.element("span", ["style": "\(side):\(Figure.plain(axis.place(of: tick.value) * 100, digits: 2))%"], text: tick.label)
    }

    private func drawing(_ page: inout Markup) {
        let box = "0 0 \(Int(Self.width)) \(Int(Self.height))"
        let attributes: KeyValuePairs = [
            "viewBox": box, "preserveAspectRatio": "none", "role": "img", "aria-labelledby": "\(name)-title \(name)-text",
        ]
        page.element("svg", attributes) { page in
            page.element("title", ["id": "\(name)-title"], text: title)
            page.element("desc", ["id": "\(name)-text"], text: summary)
            page.empty("path", ["class": "grid", "d": grid])
            for line in series { page.empty("path", ["class": style(line), "d": path(line)]) }
        }
    }

    private func style(_ line: Series) -> String { "line c\(line.colour)\(line.isDashed ? " dashed" : "")" }

    private var grid: String {
        let across = y.ticks.map { "M0 \(Self.coordinate(Self.height * (1 - y.place(of: $0.value))))H\(Int(Self.width))" }
        let down = x.ticks.map { "M\(Self.coordinate(Self.width * x.place(of: $0.value))) 0V\(Int(Self.height))" }
        return (across + down).joined()
    }

    private func path(_ line: Series) -> String {
        var path = ""
        var isDrawing = false
        for (index, point) in line.points.enumerated() {
            guard let point else {
                isDrawing = false
                continue
            }
            let x = Self.coordinate(Self.width * x.place(of: point.x))
            let y = Self.coordinate(Self.height * (1 - y.place(of: point.y)))
            path += "\(isDrawing ? "L" : "M")\(x) \(y)"
            // A point between two holes would not be seen.
            let isAlone = !isDrawing && (index + 1 == line.points.count || line.points[index + 1] == nil)
            if isAlone { path += "h8" }
            isDrawing = true
        }
        return path
    }

    /// For those who cannot see the lines: the range of each.
    private var summary: String {
        let ranges = series.compactMap { line -> String? in
            let values = line.points.compactMap { $0?.y }
            guard let lowest = values.min(), let highest = values.max() else { return nil }
            return "\(line.name): \(value(lowest)) to \(value(highest))."
        }
        return ([meaning] + ranges + ["Across: \(xTitle). Upwards: \(yTitle)."]).joined(separator: " ")
    }

    /// How a value of the upward axis is written.
    var value: (Double) -> String = { Figure.threeDigits($0) }

    private static func coordinate(_ number: Double) -> String { Figure.plain(number, digits: 1) }
}
