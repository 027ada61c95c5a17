/// How a cell of the terminal looks. Colour is never the only difference.
package struct TextStyle: Equatable, Sendable {
    package enum Colour: Int32, Sendable {
        case plain, high, normal, low, warning
    }

    var colour = Colour.plain
    var isBold = false
    var isDim = false
    var isReverse = false
    var isUnderlined = false

    package static let plain = TextStyle()
    static let bold = TextStyle(isBold: true)
    static let dim = TextStyle(isDim: true)
    static let reverse = TextStyle(isReverse: true)
}

/// A part of the terminal, drawn in memory: cells that hold one character each. A wide character takes two.
package struct Canvas: Equatable, Sendable {
    package struct Cell: Equatable, Sendable {
        /// Nil in the second cell of a wide character.
        var character: Character?
        var style: TextStyle
    }

    private(set) var width: Int
    package private(set) var rows: [[Cell]]

    package var height: Int { rows.count }

    package init(width: Int, height: Int = 0) {
        self.width = max(0, width)
        rows = Array(repeating: Self.blank(self.width), count: max(0, height))
    }

    private static func blank(_ width: Int) -> [Cell] { Array(repeating: Cell(character: " ", style: .plain), count: width) }

    /// Draws as much of a text as fits; rows below the last one are added.
    /// - Returns: the column behind it.
    @discardableResult
    package mutating func put(_ text: String, x: Int, y: Int, _ style: TextStyle = .plain, limit: Int? = nil) -> Int {
        guard y >= 0 else { return x }
        while rows.count <= y { rows.append(Self.blank(width)) }
        let end = min(width, limit.map { x + $0 } ?? width)
        var x = x
        for character in TextWidth.cut(text, to: max(0, end - x)) {
            let columns = TextWidth.of(String(character))
            guard x >= 0, columns > 0, x + columns <= end else { continue }
            set(Cell(character: character, style: style), x, y)
            if columns == 2 { rows[y][x + 1] = Cell(character: nil, style: style) }
            x += columns
        }
        return x
    }

    /// Half of a wide character that is drawn over becomes a space.
    private mutating func set(_ cell: Cell, _ x: Int, _ y: Int) {
        if rows[y][x].character == nil, x > 0 { rows[y][x - 1].character = " " }
        if x + 1 < width, rows[y][x + 1].character == nil { rows[y][x + 1].character = " " }
        rows[y][x] = cell
    }

    mutating func fill(y: Int, _ style: TextStyle) { put(String(repeating: " ", count: width), x: 0, y: y, style) }

    /// Copies rows of another canvas to here.
    package mutating func draw(_ other: Canvas, x: Int, y: Int, from first: Int = 0, count: Int = .max) {
        for (offset, row) in other.rows.dropFirst(first).prefix(count).enumerated() where y + offset < height && y + offset >= 0 {
            for (column, cell) in row.enumerated() where x + column < width && x + column >= 0 {
                if cell.character != nil { set(cell, x + column, y + offset) } else { rows[y + offset][x + column] = cell }
            }
        }
    }

    /// Adds the rows of another canvas below.
    mutating func append(_ other: Canvas) {
        let y = height
        rows += Array(repeating: Self.blank(width), count: other.height)
        draw(other, x: 0, y: y)
    }

    /// A row as text, without the spaces at its end.
    package func text(_ y: Int) -> String {
        var text = String(rows[y].compactMap(\.character))
        while text.last == " " { text.removeLast() }
        return text
    }
}
