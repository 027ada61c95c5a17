/// What is to happen later, earliest first.
struct TimerHeap {
    enum Action: UInt8 { case answer, dismiss, closeProducer, closeSubscriber, readSlowly, subscribe }

    struct Timer {
        /// In nanoseconds.
        var due: UInt64
        var action: Action
        /// Of the connection.
        var line: Int32
        /// An alert's number, or a cursor.
        var subject: UInt64
    }

    private var timers: [Timer] = []

    var next: UInt64 { timers.first?.due ?? .max }

    mutating func add(_ timer: Timer) {
        timers.append(timer)
        var child = timers.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            if timers[parent].due <= timers[child].due { break }
            timers.swapAt(parent, child)
            child = parent
        }
    }

    mutating func take(due now: UInt64) -> Timer? {
        guard let first = timers.first, first.due <= now else { return nil }
        let last = timers.removeLast()
        if timers.isEmpty { return first }
        timers[0] = last
        var parent = 0
        while true {
            var child = parent * 2 + 1
            if child >= timers.count { break }
            if child + 1 < timers.count, timers[child + 1].due < timers[child].due { child += 1 }
            if timers[parent].due <= timers[child].due { break }
            timers.swapAt(parent, child)
            parent = child
        }
        return first
    }
}
