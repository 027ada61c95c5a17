import AlertBus
import AlertBusModel
import AlertBusWire

/// What a terminal shows and what a person does with it, without a clock and without a terminal: `now` is an input, in
/// milliseconds of a clock that only goes forward.
package struct TerminalScreen: Sendable {
    struct Entry: Sendable {
        var surface: String
        var alert: ShownAlert
        var face: AlertFace
        var form = AlertForm()
        /// Milliseconds left when `since` was set, or that are left while it does not run.
        var left: Milliseconds?
        var since: Milliseconds?
        /// Since when it can be acted on, unmoved.
        var liveSince: Milliseconds?
        /// It was acted on and the bus has not said anything yet.
        var isPending = false

        func left(at now: Milliseconds) -> Milliseconds? { left.map { max(0, $0 - (since.map { now - $0 } ?? 0)) } }
        func isSame(_ other: ShownAlert, _ surface: String) -> Bool {
            self.surface == surface && alert.instance == other.instance && alert.key == other.key
        }
    }

    /// Something that keys act on.
    enum Control: Equatable, Sendable {
        case list(Int), input, action(Int)
    }

    struct Focus: Equatable, Sendable {
        var instance: UInt64
        var surface: String
        /// An index into the entry's controls.
        var control: Int
    }

    /// What is to be sent to the bus.
    package struct Deed: Equatable, Sendable {
        package var surface: String
        package var instance: UInt64
        package var revision: UInt32
        /// Nil dismisses.
        package var answer: JSONValue?
    }

    let title: String
    let slots: Int
    /// Milliseconds in which nothing counts after an alert appeared or came on top.
    let guardTime: Milliseconds
    private(set) var entries: [Entry] = []
    private(set) var link = LinkState.reconnecting
    var focus: Focus?
    /// A short note, until a time.
    private(set) var note: (text: String, until: Milliseconds)?
    /// How far the text of the focused alert is scrolled.
    var scroll = 0

    package init(title: String, slots: Int = 1, guardTime: Milliseconds = 300) {
        self.title = title
        self.slots = slots
        self.guardTime = guardTime
    }

    // MARK: From the bus

    package mutating func apply(_ event: ScreenEvent, at now: Milliseconds) {
        switch event {
        case .link(let state): link = state
        case .show(let surface, let alert, _): entries.append(entry(surface, alert))
        case .update(let surface, let alert, _):
            guard let index = entries.firstIndex(where: { $0.isSame(alert, surface) }) else { break }
            var fresh = entry(surface, alert)
            fresh.form = entries[index].form
            fresh.form.adapt(to: fresh.face)
            // Other buttons in the same place could be pressed by mistake.
            if fresh.face.actions == entries[index].face.actions { fresh.liveSince = entries[index].liveSince }
            entries[index] = fresh
        case .hide(let surface, let alert, _): entries.removeAll { $0.isSame(alert, surface) }
        }
        settle(at: now)
    }

    private func entry(_ surface: String, _ alert: ShownAlert) -> Entry {
        var entry = Entry(surface: surface, alert: alert, face: AlertFace(alert), left: alert.displayLeft)
        entry.form.adapt(to: entry.face)
        return entry
    }

    /// The bus has said what became of a deed; nil when it was carried out, and the stream takes the alert away.
    mutating func heard(_ error: ClientError?, of deed: Deed, at now: Milliseconds) {
        guard let error else { return }
        if let index = entries.firstIndex(where: { $0.surface == deed.surface && $0.alert.instance == deed.instance }) {
            entries[index].isPending = false
        }
        switch error.reason {
        case .alreadyEnded, .unknownAlert: say("Already answered elsewhere.", at: now)
        case .stale: say("This has just changed. Please look again.", at: now)
        default: say("Not sent: \(error)", at: now)
        }
    }

    mutating func say(_ text: String, at now: Milliseconds) { note = (Quoting.safe(text), now + 5000) }

    // MARK: What is where

    /// From the bottom to the top; the alerts of one surface are together.
    private var ordered: [Int] {
        let surfaces = Set(entries.map(\.surface)).sorted()
        return surfaces.flatMap { surface in entries.indices.filter { entries[$0].surface == surface } }
    }

    /// Indices of banners, the newest first.
    var banners: [Int] { ordered.filter { entries[$0].face.isBanner }.reversed() }

    /// Indices of all others, from the bottom to the top, and how many of them are on top.
    var stage: (indices: [Int], live: Int) {
        let indices = ordered.filter { !entries[$0].face.isBanner }
        guard let last = indices.last else { return ([], 0) }
        let surface = entries[last].surface
        let onTop = indices.reversed().prefix { entries[$0].surface == surface }.count
        return (indices, min(slots, onTop))
    }

    /// Those that can be acted on, in the order of the Tab key.
    var live: [Int] {
        let stage = stage
        return stage.indices.suffix(stage.live) + banners
    }

    func controls(_ face: AlertFace) -> [Control] {
        face.lists.indices.map(Control.list) + (face.input == nil ? [] : [.input]) + face.actions.indices.map(Control.action)
    }

    /// The entry and the control that keys act on.
    var focused: (index: Int, control: Control?)? {
        guard let focus else { return nil }
        let found = entries.firstIndex { $0.alert.instance == focus.instance && $0.surface == focus.surface }
        guard let index = found else { return nil }
        let controls = controls(entries[index].face)
        return (index, controls.indices.contains(focus.control) ? controls[focus.control] : controls.last)
    }

    // MARK: Time

    /// Clocks run for what nothing lies over, on its own surface.
    private mutating func settle(at now: Milliseconds) {
        for index in entries.indices {
            let over = entries[(index + 1)...].filter { $0.surface == entries[index].surface }.count
            if over < slots {
                if entries[index].since == nil { entries[index].since = now }
            } else if entries[index].since != nil {
                entries[index].left = entries[index].left(at: now)
                entries[index].since = nil
            }
        }
        let live = live
        for index in entries.indices {
            if !live.contains(index) { entries[index].liveSince = nil }
            if live.contains(index), entries[index].liveSince == nil { entries[index].liveSince = now }
        }
        settleFocus(live)
    }

    /// The focus goes to what comes on top, not to what comes beside it.
    private mutating func settleFocus(_ live: [Int]) {
        let stage = stage
        let top = stage.indices.suffix(stage.live)
        if let focused, top.contains(focused.index) || (top.isEmpty && live.contains(focused.index)) { return }
        guard let index = top.last ?? live.first else { return focus = nil }
        focusOn(index, control: 0)
    }

    mutating func focusOn(_ index: Int, control: Int) {
        focus = Focus(instance: entries[index].alert.instance, surface: entries[index].surface, control: control)
        scroll = 0
    }

    /// When the picture changes by itself next; nil when only the bus or a key changes it.
    func isTicking(at now: Milliseconds) -> Bool {
        entries.contains { $0.left != nil && $0.since != nil } || (note.map { $0.until > now } ?? false)
    }

    func note(at now: Milliseconds) -> String? { note.flatMap { $0.until > now ? $0.text : nil } }

    // MARK: For the keys

    mutating func change(_ index: Int, _ change: (inout AlertForm, AlertFace) -> Void) {
        let face = entries[index].face
        change(&entries[index].form, face)
    }

    /// What is to be sent, unless it is too early, or sent already, or there is nobody to send it to.
    mutating func act(_ index: Int, _ answer: JSONValue?, at now: Milliseconds) -> Deed? {
        let entry = entries[index]
        guard !entry.isPending, let since = entry.liveSince, now - since >= guardTime else { return nil }
        guard link == .connected else {
            say("Not connected. Nothing was sent.", at: now)
            return nil
        }
        entries[index].isPending = true
        return Deed(
            surface: entry.surface, instance: entry.alert.instance, revision: entry.alert.revision, answer: answer)
    }
}
