import AlertBusModel

/// The pop-up manager from which the rules come, with its known faults, on a virtual clock.
///
/// The tests of the scars run it beside the core: a test that does not fail on this one would not catch the fault.
struct OldManager {
    struct Config {
        var key: String
        var priority = 1
        var isIntercept = true
        var isActivate = true
    }

    /// Whether a covered pop-up stays displayed underneath.
    var staysAfterCover = true
    /// 0 is off.
    var maxBatch = 0

    /// What the callbacks said: `show a`, `dismiss a`, `refuse a`.
    private(set) var calls: [String] = []
    private(set) var now: Milliseconds = 0
    /// Everything it knows: what is displayed and what waits. A hash table, so its order means nothing.
    private var cache: [String: Config] = [:]
    /// The one dismissed last stays in here until the next activation.
    private var displayed: [String] = []
    private var activations: [Milliseconds] = []
    private var dismissals = 0

    init(staysAfterCover: Bool = true, maxBatch: Int = 0) {
        self.staysAfterCover = staysAfterCover
        self.maxBatch = maxBatch
    }

    mutating func show(_ config: Config) {
        guard cache[config.key] == nil else {
            calls.append("refuse \(config.key)")
            return
        }
        if !cache.isEmpty && config.isIntercept {
            // Kept for later, or forgotten; nobody is told.
            if config.isActivate { cache[config.key] = config }
            return
        }
        if !staysAfterCover, let top = displayed.popLast() {
            // The same callback as for one that is over; it stays in the cache even if it may not come back.
            calls.append("dismiss \(top)")
        }
        display(config)
    }

    /// The top one goes, whichever that is by now.
    mutating func dismiss() {
        guard let top = displayed.last else { return }
        calls.append("dismiss \(top)")
        cache[top] = nil
        dismissals += 1
        if maxBatch > 0 && dismissals >= maxBatch {
            dismissals = 0
            cache = cache.filter { displayed.contains($0.key) }
        }
        if displayed.count > 1 {
            displayed.removeLast()
        } else {
            activations.append(now + 350)
        }
    }

    mutating func clearCache() {
        cache = [:]
        displayed = []
        activations = []
    }

    mutating func wait(_ time: Milliseconds) {
        let end = now + time
        while let due = activations.min(), due <= end {
            activations.remove(at: activations.firstIndex(of: due)!)
            now = due
            displayed = []
            let waiting = cache.values.filter(\.isActivate).sorted { $0.priority > $1.priority }
            if let best = waiting.first { display(best) }
        }
        now = end
    }

    private mutating func display(_ config: Config) {
        cache[config.key] = config
        displayed.append(config.key)
        calls.append("show \(config.key)")
    }
}
