import CNcurses
import Glibc

/// The terminal itself, through ncurses. Belongs to one thread, and there is only one.
final class CursesTerminal {
    private let screen: OpaquePointer
    private let hasColours: Bool
    private var isOpen = true

    /// - Throws: a failure that names the terminal, when there is none or nobody knows it.
    init() throws(CommandFailure) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw .refused("--screen draws on a terminal, and this is none; leave it out to get one line for each event")
        }
        alertbus_curses_locale()
        guard let screen = alertbus_curses_open() else {
            let name = getenv("TERM").map { String(cString: $0) } ?? ""
            throw .refused("the terminal \(Quoting.quoted(name)) is not known here; set TERM to a kind that is, such as xterm")
        }
        self.screen = screen
        hasColours = Terminal.hasColours && alertbus_curses_start_colours() == 1
    }

    deinit { close() }

    /// Gives the terminal back as it was.
    func close() {
        guard isOpen else { return }
        isOpen = false
        endwin()
        delscreen(screen)
    }

    /// Gives the terminal back until the process goes on.
    func suspend() {
        endwin()
        kill(getpid(), SIGSTOP)
        alertbus_curses_redraw()
    }

    /// Takes over the size that the terminal has now.
    func size() -> (width: Int, height: Int) {
        var window = winsize()
        var (rows, columns): (CInt, CInt) = (0, 0)
        alertbus_curses_size(&rows, &columns)
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0,
            CInt(window.ws_row) != rows || CInt(window.ws_col) != columns
        {
            alertbus_curses_resize(CInt(window.ws_row), CInt(window.ws_col))
            alertbus_curses_redraw()
            alertbus_curses_size(&rows, &columns)
        }
        return (Int(columns), Int(rows))
    }

    /// Puts a picture on the terminal; ncurses sends only what differs.
    func show(_ picture: ScreenPainter.Picture) {
        alertbus_curses_erase()
        for (y, row) in picture.canvas.rows.enumerated() { draw(row, y) }
        if let x = picture.cursorX, let y = picture.cursorY {
            alertbus_curses_cursor(CInt(y), CInt(x))
        } else {
            alertbus_curses_cursor(0, -1)
        }
        alertbus_curses_show()
    }

    /// Runs of one style at once; anything but ASCII by itself, as ncurses may take it for wider or narrower than it is drawn here.
    private func draw(_ row: [Canvas.Cell], _ y: Int) {
        var x = 0
        while x < row.count {
            let start = x
            var text = ""
            while x < row.count, row[x].style == row[start].style, let character = row[x].character {
                if !character.isASCII && x > start { break }
                text.append(character)
                x += 1
                if !character.isASCII { break }
            }
            if text.isEmpty {
                x += 1
                continue
            }
            style(row[start].style)
            alertbus_curses_put(CInt(y), CInt(start), text)
        }
        style(.plain)
    }

    private func style(_ style: TextStyle) {
        var attributes = 0
        if style.isBold { attributes |= ALERTBUS_BOLD }
        if style.isDim { attributes |= ALERTBUS_DIM }
        if style.isReverse { attributes |= ALERTBUS_REVERSE }
        if style.isUnderlined { attributes |= ALERTBUS_UNDERLINE }
        alertbus_curses_style(CInt(attributes), hasColours ? style.colour.rawValue : 0)
    }

    /// The next key, or nil when none waits. Keys that mean nothing here are left out.
    func read() -> TerminalKey? {
        while true {
            var isKey: CInt = 0
            let code = alertbus_curses_read(&isKey)
            if code < 0 { return nil }
            if let key = isKey == 1 ? Self.key(CInt(code)) : Self.character(UInt32(code)) { return key }
        }
    }

    private static func key(_ code: CInt) -> TerminalKey? {
        switch code {
        case KEY_UP: .up
        case KEY_DOWN: .down
        case KEY_LEFT: .left
        case KEY_RIGHT: .right
        case KEY_PPAGE: .pageUp
        case KEY_NPAGE: .pageDown
        case KEY_HOME: .home
        case KEY_END: .end
        case KEY_BACKSPACE, KEY_DC: .backspace
        case KEY_BTAB: .backTab
        case KEY_ENTER: .enter
        default: nil
        }
    }

    private static func character(_ code: UInt32) -> TerminalKey? {
        switch code {
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x1B: .escape
        case 0x08, 0x7F: .backspace
        case 0x0C:
            redraw()
        default:
            code < 0x20 ? nil : Unicode.Scalar(code).map { .character(Character($0)) }
        }
    }

    /// Ctrl-L: another program has written over the picture.
    private static func redraw() -> TerminalKey? {
        alertbus_curses_redraw()
        return nil
    }
}
