import AlertBusModel

/// Draws one alert as a box.
struct AlertPainter {
    let entry: TerminalScreen.Entry
    /// Nil when keys do not act on it.
    let control: TerminalScreen.Control?
    let isFocused: Bool
    let isLive: Bool
    let width: Int
    let now: Milliseconds

    private var face: AlertFace { entry.face }
    private var inner: Int { max(4, width - 4) }

    private var colour: TextStyle.Colour {
        switch face.level {
        case .high: .high
        case .normal: .normal
        case .low: .low
        }
    }

    /// Priorities differ by their frame too: left top, line, right top, side, left bottom, right bottom.
    private var frame: (String, String, String, String, String, String) {
        switch face.level {
        case .high: ("╔", "═", "╗", "║", "╚", "╝")
        case .normal: ("┌", "─", "┐", "│", "└", "┘")
        case .low: ("╭", "╌", "╮", "┊", "╰", "╯")
        }
    }

    private var edge: TextStyle { TextStyle(colour: colour, isBold: isLive, isDim: !isLive) }

    /// What looks out under another alert: its upper edge and its title.
    func head() -> Canvas {
        var canvas = Canvas(width: width, height: 2)
        drawEdge(&canvas)
        canvas.put(Quoting.safe(face.title), x: 2, y: 1, TextStyle(isDim: true), limit: inner)
        return canvas
    }

    /// The whole box, at most so high. What does not fit can be scrolled; buttons and time stay.
    func box(maxHeight: Int, scroll: Int) -> (canvas: Canvas, cursor: (x: Int, y: Int)?) {
        let title = titleLines()
        let foot = buttons()
        var content = Canvas(width: inner)
        var focusRow: Int?
        var cursor: (x: Int, y: Int)?
        drawContent(&content, &focusRow, &cursor, room: maxHeight - title.height - foot.height - 2)
        let room = max(1, maxHeight - 2 - title.height - foot.height)
        var first = min(scroll, max(0, content.height - room))
        if scroll == 0, let focusRow, focusRow >= first + room { first = min(focusRow - room + 1, content.height - room) }
        let visible = min(room, content.height)

        var canvas = Canvas(width: width, height: title.height + visible + foot.height + 2)
        drawEdge(&canvas)
        canvas.draw(title, x: 2, y: 1)
        canvas.draw(content, x: 2, y: 1 + title.height, from: first, count: visible)
        canvas.draw(foot, x: 2, y: 1 + title.height + visible)
        if first > 0 { canvas.put("▲", x: width - 2, y: 1 + title.height, .dim) }
        if first + visible < content.height { canvas.put("▼", x: width - 2, y: title.height + visible, .dim) }
        drawBottom(&canvas)
        let place = cursor.map { (x: 2 + $0.x, y: 1 + title.height + $0.y - first) }
        return (canvas, place.flatMap { $0.y > title.height && $0.y <= title.height + visible ? $0 : nil })
    }

    // MARK: The frame

    private func drawEdge(_ canvas: inout Canvas) {
        let (leftTop, line, rightTop, side, _, _) = frame
        canvas.put(leftTop + String(repeating: line, count: max(0, width - 2)) + rightTop, x: 0, y: 0, edge)
        canvas.put(" \(face.word) ", x: 2, y: 0, TextStyle(colour: colour, isBold: true), limit: width - 4)
        for y in 1..<max(1, canvas.height) {
            canvas.put(side, x: 0, y: y, edge)
            canvas.put(side, x: width - 1, y: y, edge)
        }
    }

    private func drawBottom(_ canvas: inout Canvas) {
        let (_, line, _, _, leftBottom, rightBottom) = frame
        let y = canvas.height - 1
        canvas.put(leftBottom + String(repeating: line, count: max(0, width - 2)) + rightBottom, x: 0, y: y, edge)
        var text = entry.isPending ? " sending… " : ""
        if let left = entry.left(at: now) { text += " \(Self.time(left)) left " }
        let columns = TextWidth.of(text)
        if columns > 0 && columns < width - 4 { canvas.put(text, x: width - 2 - columns, y: y, edge) }
    }

    static func time(_ milliseconds: Milliseconds) -> String {
        let seconds = (milliseconds + 999) / 1000
        if seconds < 60 { return "\(seconds) s" }
        return seconds < 3600 ? "\((seconds + 59) / 60) min" : "\((seconds + 3599) / 3600) h"
    }

    // MARK: The parts

    private func titleLines() -> Canvas {
        var canvas = Canvas(width: inner)
        for (y, line) in TextWrapping.lines(face.title, width: inner).prefix(3).enumerated() {
            canvas.put(line, x: 0, y: y, .bold)
        }
        return canvas
    }

    private func drawContent(
        _ content: inout Canvas, _ focusRow: inout Int?, _ cursor: inout (x: Int, y: Int)?, room: Int
    ) {
        if !face.body.isEmpty {
            for line in TextWrapping.lines(face.body, width: inner) { content.put(line, x: 0, y: content.height) }
        }
        if let progress = face.progress { content.append(bar(progress)) }
        if let input = face.input {
            let y = content.height
            content.put(Quoting.safe(input.label) + ":", x: 0, y: y + 1, .bold)
            drawInput(input, &content, y + 2, &cursor)
            if control == .input { focusRow = y + 2 }
        }
        if !face.lists.isEmpty {
            content.put("", x: 0, y: content.height)
            let first = content.height
            let painter = ListPainter(form: entry.form, lists: face.lists, width: inner, focused: focusedList)
            content.append(painter.canvas(rows: max(3, room - first - 2)))
            if focusedList != nil { focusRow = content.height - 1 }
        }
    }

    private var focusedList: Int? { if case .list(let number) = control { number } else { nil } }

    private func drawInput(
        _ input: AlertFace.Input, _ content: inout Canvas, _ y: Int, _ cursor: inout (x: Int, y: Int)?
    ) {
        content.fill(y: y, TextStyle(isUnderlined: true))
        var text = input.isSecret ? String(repeating: "•", count: entry.form.text.count) : Quoting.safe(entry.form.text)
        // The end is what a person types at.
        while TextWidth.of(text) > inner - 2 { text.removeFirst() }
        if text.isEmpty && control != .input {
            content.put(Quoting.safe(input.placeholder), x: 0, y: y, TextStyle(isDim: true, isUnderlined: true))
        }
        let x = content.put(text, x: 0, y: y, TextStyle(isUnderlined: true))
        if control == .input { cursor = (x, y) }
    }

    private func bar(_ progress: Double) -> Canvas {
        var canvas = Canvas(width: inner)
        if progress < 0 {
            canvas.put("Working…", x: 0, y: 0)
            return canvas
        }
        let columns = max(1, inner - 5)
        let done = Int((Double(columns) * progress).rounded())
        canvas.put(String(repeating: "█", count: done), x: 0, y: 0, TextStyle(colour: colour))
        canvas.put(String(repeating: "░", count: columns - done), x: done, y: 0, .dim)
        canvas.put("\(Int((progress * 100).rounded()))%", x: columns + 1, y: 0)
        return canvas
    }

    /// Buttons in lines, each with the number that presses it.
    private func buttons() -> Canvas {
        var canvas = Canvas(width: inner)
        if face.actions.isEmpty { return canvas }
        var (x, y) = (0, 1)
        for (number, action) in face.actions.enumerated() {
            let label = " \(number + 1) \(Quoting.safe(action.label)) "
            let columns = min(TextWidth.of(label) + 2, inner)
            if x > 0 && x + columns > inner { (x, y) = (0, y + 1) }
            let isHere = isFocused && control == .action(number)
            var style = isHere ? TextStyle.reverse : TextStyle(isBold: action.isPrimary)
            style.isDim = entry.isPending || !isLive
            canvas.put("[\(TextWidth.cut(label, to: inner - 2))]", x: x, y: y, style)
            x += columns + 1
        }
        return canvas
    }
}
