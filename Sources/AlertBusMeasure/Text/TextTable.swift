/// Rows of words in columns: the first column to the left, the others to the right.
struct TextTable {
    private var rows: [[String]] = []

    mutating func row(_ cells: [String]) { rows.append(cells) }

    /// The lines, each indented by two spaces.
    var lines: [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.compactMap { column < $0.count ? $0[column].count : nil }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + space : space + cell
            }
            var line = "  " + cells.joined(separator: "  ")
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
    }
}
