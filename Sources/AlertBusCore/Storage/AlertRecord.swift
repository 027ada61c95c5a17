import AlertBusModel

/// "Never", for clocks kept in a plain integer.
let never = Milliseconds.max

/// Everything the core knows of one alert that has not ended.
struct AlertRecord: Sendable {
    var instance: UInt64
    var key: String
    var content: AlertContent
    var surface: Int32
    var producer: Int32
    var revision: UInt32 = 1
    /// The priority that counts.
    var priority: UInt8
    /// The highest one that the requester may use.
    var topPriority: UInt8
    var breaksThrough: Bool
    var isUrgent = false
    var state: PresentationState
    /// Why it is in this state.
    var reason: Reason
    var acceptedAt: Milliseconds
    var expiresAt: Milliseconds
    /// What is left of the time on screen, up to `onTopSince` while it is on top.
    var displayLeft: Milliseconds
    /// When it last came on top; nil while it does not lie on top.
    var onTopSince: Milliseconds?
    var shownAt: Milliseconds = 0
    /// Until when the last owner may come back; nil when it is not missed.
    var orphanedUntil: Milliseconds?
    /// The session that hears of it; 0 when nobody does. More of them are in `Arbiter.coOwners`.
    var owner: UInt64
    var data: [SourceData] = []
    /// The surface's alerts in the order of arrival.
    var nextOnSurface = SlotIndex.none
    var previousOnSurface = SlotIndex.none
    /// Neighbours in the stack of what is shown, or in the queue of what waits; an alert is never in both.
    var above = SlotIndex.none
    var below = SlotIndex.none
    /// It is in its queue's sorted part, not in its list.
    var isAside = false

    @inline(__always)
    var isFree: Bool { instance == 0 }
    /// Bytes of parameters, sources and data.
    @inline(__always)
    var weight: Int {
        var sum = content.weight
        for source in data { for row in source.rows { sum += row.json.count } }
        return sum
    }
}

extension AlertContent {
    /// Bytes of parameters and of what the sources are asked and have selected.
    @inline(__always)
    var weight: Int {
        var sum = params.count
        for source in sources {
            sum += source.request.count
            for id in source.selected { sum += id.count }
        }
        return sum
    }
}
