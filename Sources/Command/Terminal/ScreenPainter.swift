import AlertBusModel

/// Draws the whole terminal.
package struct ScreenPainter {
    let screen: TerminalScreen
    let width: Int
    let height: Int
    let now: Milliseconds
    /// The time of day, for the first line.
    let clock: String
    let address: String

    package init(screen: TerminalScreen, width: Int, height: Int, now: Milliseconds, clock: String, address: String) {
        self.screen = screen
        self.width = width
        self.height = height
        self.now = now
        self.clock = clock
        self.address = address
    }

    package struct Picture: Equatable {
        package var canvas: Canvas
        var cursorX: Int?
        var cursorY: Int?
    }

    package func picture() -> Picture {
        var picture = Picture(canvas: Canvas(width: width, height: height))
        guard width >= 10, height >= 4 else {
            if height > 0 { picture.canvas.put("too small", x: 0, y: 0) }
            return picture
        }
        var top = drawHead(&picture.canvas)
        drawFoot(&picture.canvas)
        top = drawBanners(&picture, from: top)
        drawStage(&picture, from: top)
        return picture
    }

    private var isLost: Bool { screen.link != .connected }

    private func drawHead(_ canvas: inout Canvas) -> Int {
        canvas.fill(y: 0, .reverse)
        let state = (isLost ? "bus lost" : "connected") + "  " + clock + " "
        canvas.put(" " + Quoting.safe(screen.title), x: 0, y: 0, .reverse, limit: max(0, width - TextWidth.of(state) - 1))
        canvas.put(state, x: width - TextWidth.of(state), y: 0, .reverse)
        if !isLost { return 1 }
        canvas.put(
            " Bus lost: nothing is heard from \(address). This is the last known screen; it comes back by itself.", x: 0, y: 1,
            TextStyle(colour: .warning, isBold: true))
        return 2
    }

    private func drawFoot(_ canvas: inout Canvas) {
        if let note = screen.note(at: now) {
            canvas.put(" " + note, x: 0, y: height - 1, TextStyle(colour: .warning, isBold: true))
            return
        }
        var keys: [String] = []
        if let (index, control) = screen.focused {
            switch control {
            case .list: keys = ["↑↓ move", "Enter choose", "type to search"]
            case .input: keys = ["type", "Enter send"]
            case .action: keys = ["Enter press", "1-9 press that"]
            case nil: break
            }
            if screen.live.count > 1 || screen.controls(screen.entries[index].face).count > 1 { keys.append("Tab next") }
            if screen.entries[index].face.isDismissible { keys.append("Esc dismiss") }
        }
        keys.append("Ctrl-C quit")
        canvas.put(" " + keys.joined(separator: " · "), x: 0, y: height - 1, .dim)
    }

    private func painter(_ index: Int, isLive: Bool, width: Int) -> AlertPainter {
        let focused = screen.focused
        let isFocused = isLive && focused?.index == index
        return AlertPainter(
            entry: screen.entries[index], control: isFocused ? focused?.control : nil, isFocused: isFocused, isLive: isLive,
            width: width, now: now)
    }

    private func drawBanners(_ picture: inout Picture, from top: Int) -> Int {
        var y = top
        let hasStage = !screen.stage.indices.isEmpty
        let bottom = hasStage ? top + (height - 1 - top) / 2 : height - 1
        let banners = screen.banners
        for (number, index) in banners.enumerated() {
            let (canvas, cursor) = painter(index, isLive: true, width: min(width, 100)).box(
                maxHeight: max(3, min(8, bottom - y)), scroll: scroll(index))
            if y + canvas.height > bottom - (number < banners.count - 1 ? 1 : 0) && number > 0 {
                picture.canvas.put(" and \(banners.count - number) more", x: 0, y: y, .dim)
                return y + 1
            }
            place(canvas, cursor, index, x: (width - canvas.width) / 2, y: y, &picture)
            y += canvas.height
        }
        return y
    }

    private func scroll(_ index: Int) -> Int { screen.focused?.index == index ? screen.scroll : 0 }

    private func place(
        _ canvas: Canvas, _ cursor: (x: Int, y: Int)?, _ index: Int, x: Int, y: Int, _ picture: inout Picture
    ) {
        picture.canvas.draw(canvas, x: x, y: y)
        if let cursor, screen.focused?.index == index {
            picture.cursorX = x + cursor.x
            picture.cursorY = y + cursor.y
        }
    }

    private func drawStage(_ picture: inout Picture, from top: Int) {
        let (indices, liveCount) = screen.stage
        let bottom = height - 1
        guard !indices.isEmpty else {
            if screen.entries.isEmpty { drawIdle(&picture.canvas) }
            return
        }
        let live = Array(indices.suffix(liveCount))
        let under = indices.dropLast(liveCount).suffix(3)
        let face = screen.entries[live[0]].face
        let hidden = indices.count - liveCount - under.count
        // Those under it look out above, each a little narrower.
        let underHeight = face.isFull ? 0 : min(under.count, max(0, (bottom - top - 6) / 2)) * 2
        let side = liveCount > 1 && width / liveCount >= 36 ? liveCount : 1
        let wanted = face.isFull ? width : face.lists.count > 1 ? 96 : 72
        let each = min(width / side, side > 1 ? width / side : wanted)
        let room = max(3, (bottom - top - underHeight) / (liveCount / side))
        let boxes = live.map { index in painter(index, isLive: true, width: each).box(maxHeight: room, scroll: scroll(index)) }
        let tallest = side > 1 ? boxes.map(\.canvas.height).max() ?? 0 : boxes.reduce(0) { $0 + $1.canvas.height }
        let free = max(0, bottom - top - underHeight - tallest)
        var y = top + (face.isSheet ? free : free / 2)
        var x = (width - each * side) / 2
        for (depth, index) in under.suffix(underHeight / 2).enumerated() {
            let inset = 2 * (underHeight / 2 - depth)
            let columns = max(10, each * side - 2 * inset)
            picture.canvas.draw(painter(index, isLive: false, width: columns).head(), x: (width - columns) / 2, y: y)
            y += 2
        }
        if hidden > 0 { picture.canvas.put("and \(hidden) more below", x: 1, y: bottom - 1, .dim) }
        for (box, index) in zip(boxes, live) {
            place(box.canvas, box.cursor, index, x: x, y: y, &picture)
            if side > 1 { x += each } else { y += box.canvas.height }
        }
    }

    private func drawIdle(_ canvas: inout Canvas) {
        for (offset, text) in [Quoting.safe(screen.title), "nothing is shown"].enumerated() {
            canvas.put(text, x: max(0, (width - TextWidth.of(text)) / 2), y: height / 2 - 1 + offset, offset == 0 ? .bold : .dim)
        }
    }
}
