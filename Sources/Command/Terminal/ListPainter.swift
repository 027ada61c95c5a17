import AlertBusWire

/// Draws the lists of an alert side by side, or one below the other when it is narrow.
struct ListPainter {
    let form: AlertForm
    let lists: [AlertFace.List]
    let width: Int
    let focused: Int?

    private static let narrowest = 20

    func canvas(rows: Int) -> Canvas {
        let gap = 2
        let columns = max(1, min(lists.count, (width + gap) / (Self.narrowest + gap)))
        let each = (width - gap * (columns - 1)) / columns
        let lines = (lists.count + columns - 1) / columns
        let height = max(3, rows / lines)
        var canvas = Canvas(width: width)
        for (number, list) in lists.enumerated() {
            let part = draw(list, number, each, height)
            let y = number / columns * height
            while canvas.height < y + part.height { canvas.put("", x: 0, y: canvas.height) }
            canvas.draw(part, x: number % columns * (each + gap), y: y)
        }
        return canvas
    }

    private func draw(_ list: AlertFace.List, _ number: Int, _ width: Int, _ height: Int) -> Canvas {
        var canvas = Canvas(width: width)
        let choice = form.choice(list)
        let isFocused = focused == number
        let count = choice.chosen.isEmpty ? "" : " (\(choice.chosen.count))"
        canvas.put(Quoting.safe(list.label) + count, x: 0, y: 0, TextStyle(isBold: true, isUnderlined: isFocused))
        let found = form.found(list)
        let hasSearch = !choice.search.isEmpty
        if hasSearch { canvas.put("/" + Quoting.safe(choice.search), x: 0, y: 1, TextStyle(colour: .warning)) }
        let room = max(1, height - (hasSearch ? 2 : 1))
        let first = max(0, min(choice.cursor - room / 2, found.count - room))
        for (offset, row) in found.dropFirst(first).prefix(room).enumerated() {
            let isChosen = choice.chosen.contains(row.id)
            let mark = list.isMultiple ? (isChosen ? "[x] " : "[ ] ") : (isChosen ? "(•) " : "( ) ")
            let isHere = isFocused && first + offset == choice.cursor
            let y = (hasSearch ? 2 : 1) + offset
            if isHere { canvas.fill(y: y, .reverse) }
            canvas.put(mark + Quoting.safe(row.text), x: 0, y: y, isHere ? .reverse : TextStyle(isBold: isChosen))
        }
        if found.isEmpty { canvas.put("Nothing found", x: 0, y: canvas.height, .dim) }
        return canvas
    }
}
