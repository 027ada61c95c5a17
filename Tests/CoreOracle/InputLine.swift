import AlertBusModel

extension Input {
    /// One line that a person can read and type again as a test.
    package var line: String {
        switch self {
        case .command(let command, let from):
            var line = command.line + " by \(from.session)/\"\(from.producer)\""
            if let once = from.once { line += " once \(once)" }
            if !from.mayBreakThrough { line += " may not break through" }
            if from.topPriority != .max { line += " top priority \(from.topPriority)" }
            return line
        case .tick: return "tick"
        case .started(let epoch): return "started \(epoch)"
        case .configured(let policies, _):
            return "configured " + policies.rules.map { "\($0.pattern): \($0.policy.line); " }.joined()
                + "rest: \(policies.fallback.line)"
        case .ownerLost(let session): return "owner lost \(session)"
        case .loaded(let load, let rows): return "loaded \(load), \(rows.count) rows"
        case .loadFailed(let load, _): return "load failed \(load)"
        }
    }
}

extension Command {
    fileprivate var line: String {
        func at(_ revision: UInt32?) -> String { revision.map { " r\($0)" } ?? "" }
        switch self {
        case .raise(let raise):
            return "raise \(raise.surface) \(raise.key) \(raise.content.line)" + (raise.update ? " update" : "")
        case .update(let update):
            var words = ["update \(update.surface) \(update.key)" + at(update.revision)]
            if let value = update.priority { words.append("p\(value)") }
            if let value = update.intercept { words.append("intercept \(value)") }
            if let value = update.activate { words.append("activate \(value)") }
            if let value = update.ttl { words.append("ttl \(value)") }
            if let value = update.display { words.append("display \(value)") }
            if update.presentation != nil { words.append("presentation") }
            if update.params != nil { words.append("params") }
            return words.joined(separator: " ")
        case .withdraw(let surface, let key, let revision): return "withdraw \(surface) \(key)" + at(revision)
        case .dismiss(let surface, let target, let revision): return "dismiss \(surface) \(target)" + at(revision)
        case .answer(let surface, let target, let revision, let answer):
            return "answer \(surface) \(target)" + at(revision) + (answer.chosen.isEmpty ? "" : " chosen \(answer.chosen)")
        case .clear(let scope, let shown): return "clear \(scope)" + (shown ? " shown" : "")
        case .hold(let scope): return "hold \(scope)"
        case .release(let scope): return "release \(scope)"
        case .status(let surface, let target): return "status \(surface) \(target)"
        case .refresh(let surface, let target, let source, let request):
            return "refresh \(surface) \(target) \(source) \(request)"
        }
    }
}

extension AlertContent {
    fileprivate var line: String {
        var words = ["p\(priority)"]
        if !intercept { words.append("no-intercept") }
        if !activate { words.append("no-activate") }
        if breakthrough { words.append("breakthrough") }
        if closesOnOwnerLoss { words.append("closes") }
        if let ttl { words.append("ttl \(ttl)") }
        if let display { words.append("display \(display)") }
        if let minShow { words.append("min-show \(minShow)") }
        if !params.isEmpty { words.append("params") }
        if let loadTimeout { words.append("load-timeout \(loadTimeout)") }
        for source in sources {
            words.append(
                "source \(source.name) timeout \(source.timeout)" + (source.isOptional ? " optional" : "")
                    + (source.selected.isEmpty ? "" : " selected"))
        }
        return words.joined(separator: " ")
    }
}

extension Input {
    /// The same input when so many alerts and loads before it were taken away.
    func renumbered(by count: Int) -> Input {
        func less(_ number: UInt64) -> UInt64 { number > count ? number - UInt64(count) : number }
        func less(_ target: Target) -> Target {
            if case .instance(let number) = target { return .instance(less(number)) }
            return target
        }
        switch self {
        case .loaded(let load, let rows): return .loaded(load: less(load), rows: rows)
        case .loadFailed(let load, let message): return .loadFailed(load: less(load), message: message)
        case .command(.dismiss(let surface, let target, let revision), let from):
            return .command(.dismiss(surface: surface, less(target), revision: revision), from: from)
        case .command(.answer(let surface, let target, let revision, let answer), let from):
            return .command(.answer(surface: surface, less(target), revision: revision, answer), from: from)
        case .command(.status(let surface, let target), let from):
            return .command(.status(surface: surface, less(target)), from: from)
        case .command(.refresh(let surface, let target, let source, let request), let from):
            return .command(.refresh(surface: surface, less(target), source: source, request: request), from: from)
        case .command, .tick, .started, .configured, .ownerLost: return self
        }
    }
}
