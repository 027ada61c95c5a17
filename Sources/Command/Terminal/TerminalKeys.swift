import AlertBusModel
import AlertBusWire

/// A key as the screen understands it.
package enum TerminalKey: Equatable, Sendable {
    case character(Character)
    case enter, tab, backTab, up, down, left, right, pageUp, pageDown, home, end, backspace, escape
}

extension TerminalScreen {
    /// - Returns: what is to be sent.
    package mutating func press(_ key: TerminalKey, at now: Milliseconds) -> Deed? {
        switch key {
        case .tab: moveFocus(by: 1)
        case .backTab: moveFocus(by: -1)
        default: break
        }
        guard let (index, control) = focused else { return nil }
        let face = entries[index].face
        if key == .escape { return escape(index, control, at: now) }
        switch control {
        case .list(let number): return press(key, index, face.lists[number], at: now)
        case .input: return pressInInput(key, index, at: now)
        case .action(let number): return pressOnAction(key, index, number, at: now)
        case nil:
            scrollText(key)
            return nil
        }
    }

    private mutating func moveFocus(by step: Int) {
        let live = live
        let stops = live.flatMap { index in
            (0..<max(1, controls(entries[index].face).count)).map { (index, $0) }
        }
        guard !stops.isEmpty else { return }
        let here = focused?.index
        let at = stops.firstIndex { $0.0 == here && $0.1 == focus?.control } ?? 0
        let next = stops[(at + step + stops.count) % stops.count]
        focusOn(next.0, control: next.1)
    }

    private mutating func escape(_ index: Int, _ control: Control?, at now: Milliseconds) -> Deed? {
        let entry = entries[index]
        if case .list(let number) = control, !entry.form.choice(entry.face.lists[number]).search.isEmpty {
            change(index) { form, face in form.search(face.lists[number]) { $0 = "" } }
            return nil
        }
        return entry.face.isDismissible ? act(index, nil, at: now) : nil
    }

    private mutating func press(_ key: TerminalKey, _ index: Int, _ list: AlertFace.List, at now: Milliseconds) -> Deed? {
        let page = 8
        switch key {
        case .up: change(index) { form, _ in form.move(list, by: -1) }
        case .down: change(index) { form, _ in form.move(list, by: 1) }
        case .pageUp: change(index) { form, _ in form.move(list, by: -page) }
        case .pageDown: change(index) { form, _ in form.move(list, by: page) }
        case .home: change(index) { form, _ in form.move(list, by: -list.rows.count) }
        case .end: change(index) { form, _ in form.move(list, by: list.rows.count) }
        case .left: moveFocus(by: -1)
        case .right: moveFocus(by: 1)
        case .enter: change(index) { form, _ in form.toggle(list) }
        // A space belongs to the search once there is one.
        case .character(" ") where entries[index].form.choice(list).search.isEmpty: change(index) { form, _ in form.toggle(list) }
        case .character(let character): change(index) { form, _ in form.search(list) { $0.append(character) } }
        case .backspace: change(index) { form, _ in form.search(list) { if !$0.isEmpty { $0.removeLast() } } }
        case .tab, .backTab, .escape: break
        }
        return nil
    }

    private mutating func pressInInput(_ key: TerminalKey, _ index: Int, at now: Milliseconds) -> Deed? {
        switch key {
        case .character(let character):
            change(index) { form, _ in if form.text.utf8.count < 4096 { form.text.append(character) } }
        case .backspace: change(index) { form, _ in if !form.text.isEmpty { form.text.removeLast() } }
        case .enter:
            let actions = entries[index].face.actions
            guard let number = actions.firstIndex(where: \.isPrimary) ?? actions.indices.first else { return nil }
            return activate(index, number, at: now)
        case .up: moveFocus(by: -1)
        case .down: moveFocus(by: 1)
        case .left, .right, .pageUp, .pageDown, .home, .end, .tab, .backTab, .escape: scrollText(key)
        }
        return nil
    }

    private mutating func pressOnAction(_ key: TerminalKey, _ index: Int, _ number: Int, at now: Milliseconds) -> Deed? {
        switch key {
        case .enter, .character(" "): return activate(index, number, at: now)
        case .character(let digit):
            // The number that stands on the button.
            guard let wanted = digit.wholeNumberValue, entries[index].face.actions.indices.contains(wanted - 1) else { return nil }
            return activate(index, wanted - 1, at: now)
        case .left: moveFocus(by: -1)
        case .right: moveFocus(by: 1)
        case .up, .down, .pageUp, .pageDown, .home, .end, .backspace, .tab, .backTab, .escape: scrollText(key)
        }
        return nil
    }

    private mutating func activate(_ index: Int, _ number: Int, at now: Milliseconds) -> Deed? {
        let entry = entries[index]
        let answer = entry.face.actions[number].id.map { entry.form.answer(entry.face, action: $0) }
        return act(index, answer, at: now)
    }

    /// The painter keeps it within what there is.
    private mutating func scrollText(_ key: TerminalKey) {
        switch key {
        case .up: scroll = max(0, scroll - 1)
        case .down: scroll += 1
        case .pageUp: scroll = max(0, scroll - 8)
        case .pageDown: scroll += 8
        case .home: scroll = 0
        default: break
        }
    }
}
