import AlertBusCore
import AlertBusModel
import AlertBusWire

/// A reply that may be long. The next part of it is made when the peer has taken those before: no batch, no queue and no pause grows
/// with its length.
struct PartedReply {
    enum Content {
        /// `next` is where the core goes on with its surfaces.
        case snapshot(SurfaceScope, next: Int, isSubscription: Bool)
        case alerts(SurfaceScope, next: ListingPlace)
        /// `after` is the session that was told last.
        case subscribers(SurfaceScope, after: UInt64)
    }

    let ref: [UInt8]
    var content: Content

    /// The scope of a subscription that begins, or begins again, with this.
    var subscription: SurfaceScope? {
        if case .snapshot(let scope, _, true) = content { scope } else { nil }
    }
}

extension SurfaceSnapshot {
    /// About what it takes in a message.
    var weight: Int {
        var sum = 100 + surface.utf8.count
        for alert in shown {
            sum += 200 + alert.params.count
            for source in alert.data { for row in source.rows { sum += row.json.count + 20 } }
        }
        return sum
    }
}

extension SubscriberSummary {
    var weight: Int { screens.reduce(300) { $0 + 120 + $1.surface.utf8.count } }
}
