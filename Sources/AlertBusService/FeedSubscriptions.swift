/// How many topics each observer has subscribed to. libzmq keeps every one of them, so their number has to be bounded.
struct FeedSubscriptions {
    private var counts: [ConnectionTable.Ticket: Int] = [:]
    private(set) var received: UInt64 = 0
    private var hasUnknown = false

    /// Whether anybody may be listening: what nobody hears need not be published. Told by what each observer says of itself, so that
    /// nobody can silence the feed for others.
    var isHeard: Bool { hasUnknown || !counts.isEmpty }

    /// One whose connection is not known: it counts for as long as anybody is connected.
    mutating func subscribedByUnknown() {
        received += 1
        hasUnknown = true
    }

    /// - Returns: whether the observer now has more than it may.
    mutating func subscribed(_ observer: ConnectionTable.Ticket, limit: Int) -> Bool {
        received += 1
        counts[observer, default: 0] += 1
        return counts[observer]! > limit
    }

    mutating func unsubscribed(_ observer: ConnectionTable.Ticket) {
        guard let count = counts[observer] else { return }
        counts[observer] = count > 1 ? count - 1 : nil
    }

    /// Forgets the observers that are gone.
    mutating func keep(anyConnection: Bool, where isThere: (ConnectionTable.Ticket) -> Bool) {
        if !anyConnection { hasUnknown = false }
        counts = counts.filter { isThere($0.key) }
    }
}
