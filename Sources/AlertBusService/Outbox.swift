import AlertBusModel
import AlertBusWire

/// What one batch of inputs has to say, in order. It is held back until the batch is in the journal.
final class Outbox {
    enum Item {
        /// To everybody who listens to the surface, and to the feed.
        case publish(surface: Audience.Surface, seq: UInt64, end: Int)
        /// To one peer.
        case direct(Session, end: Int, isReceipt: Bool)
        /// A part of a long reply to one peer.
        case part(Session, end: Int, bytes: Int, generation: UInt32)
        /// From here on the session listens to the scope; its snapshot follows in parts.
        case subscribe(Session, SurfaceScope)
        case unsubscribe(Session, SurfaceScope)
        /// It takes messages again; its newest snapshots follow in parts.
        case resume(Session, generation: UInt32)
        /// Positions that the part just sent has told the session.
        case snapshotSent(Session, surface: Audience.Surface, seq: UInt64, generation: UInt32)
        /// On the feed only: where a surface stands.
        case beat(surface: Audience.Surface, end: Int)
    }

    @exclusivity(unchecked) var writer = MessageWriter(capacity: 64 << 10)
    @exclusivity(unchecked) var items: [Item] = []

    /// Something that has to be answered in another way if the journal does not take the batch.
    struct Claim {
        enum Kind {
            /// A command or a question about the state: refused.
            case refusable
            /// It does not touch the state, and was carried out.
            case done
            case subscription(SurfaceScope)
            case end(of: SurfaceScope)
            /// It gets the newest state.
            case resumption
        }

        var session: Session
        var ref: [UInt8]
        var kind: Kind
    }

    /// A claim without its `ref`, which lies among `refs`: an array of its own for each would have to be made and freed.
    private struct Kept {
        var session: Session
        var kind: Claim.Kind
        var end: Int
    }

    @exclusivity(unchecked) private var kept: [Kept] = []
    @exclusivity(unchecked) private var refs: [UInt8] = []

    /// Where there is no journal there are none.
    func claim(_ session: Session, _ ref: [UInt8], _ kind: Claim.Kind) {
        refs += ref
        kept.append(Kept(session: session, kind: kind, end: refs.count))
    }

    /// In the order in which they were made.
    var claims: [Claim] {
        var start = 0
        return kept.map { kept in
            defer { start = kept.end }
            return Claim(session: kept.session, ref: Array(refs[start..<kept.end]), kind: kept.kind)
        }
    }

    var isEmpty: Bool { items.isEmpty }

    /// Ends the message that was just written.
    func add(to session: Session, isReceipt: Bool = false) {
        items.append(.direct(session, end: writer.count, isReceipt: isReceipt))
    }

    func clear() {
        kept.removeAll(keepingCapacity: kept.capacity <= 1 << 16)
        refs.removeAll(keepingCapacity: refs.capacity <= 1 << 20)
        items.removeAll(keepingCapacity: items.capacity <= 1 << 16)
        if writer.count > 8 << 20 { writer = MessageWriter(capacity: 64 << 10) } else { writer.removeAll() }
    }
}
