/// Rows in columns that line up, cut to the width of a terminal.
package struct TextTable {
    package struct Column: Sendable {
        var title: String
        var isNumber = false
        /// May be cut when the terminal is too narrow.
        var isElastic = false

        package init(_ title: String, isNumber: Bool = false, isElastic: Bool = false) {
            self.title = title
            self.isNumber = isNumber
            self.isElastic = isElastic
        }
    }

    private let columns: [Column]
    private var rows: [[String]]
    private static let gap = 2
    /// An elastic column is never cut below this.
    private static let narrowest = 8

    package init(_ columns: [Column]) {
        self.columns = columns
        rows = [columns.map(\.title)]
    }

    package mutating func add(_ row: [String]) {
        precondition(row.count == columns.count, "a row has a cell for each column")
        rows.append(row.map(Quoting.safe))
    }

    /// - Parameter width: nil for a file or a pipe, where nothing is cut.
    package func text(width: Int?) -> String {
        let widths = fitted(to: width)
        var text = ""
        for row in rows {
            var line = ""
            for (index, cell) in row.enumerated() {
                let cut = TextWidth.cut(cell, to: widths[index])
                let padding = String(repeating: " ", count: max(0, widths[index] - TextWidth.of(cut)))
                line += columns[index].isNumber ? padding + cut : cut + padding
                if index < row.count - 1 { line += String(repeating: " ", count: Self.gap) }
            }
            while line.last == " " { line.removeLast() }
            text += line + "\n"
        }
        return text
    }

    private func fitted(to width: Int?) -> [Int] {
        var widths = columns.indices.map { column in rows.reduce(0) { max($0, TextWidth.of($1[column])) } }
        guard let width else { return widths }
        var excess = widths.reduce(0, +) + Self.gap * (columns.count - 1) - width
        while excess > 0 {
            // The widest one gives way first.
            let elastic = columns.indices.filter { columns[$0].isElastic && widths[$0] > Self.narrowest }
            guard let widest = elastic.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}
