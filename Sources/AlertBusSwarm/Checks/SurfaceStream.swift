import AlertBusModel

/// What one surface's stream has said, put together from all subscribers that follow it: each gets the same messages, so the one that
/// is ahead tells the story and the others are compared with it.
final class SurfaceStream {
    /// One message of the stream, for those who get it later.
    struct Entry {
        var seq: UInt64 = 0
        var hash: UInt64 = 0
        var intended = ScannedMessage.none
        var sent = ScannedMessage.none
    }

    let index: Int
    let path: String
    var epoch: UInt64 = 0
    /// The last message that was taken into the story.
    var seq: UInt64 = 0
    /// When a part of the stream was last missed by everybody, in nanoseconds; alerts raised before are not counted.
    var jumpedAt: UInt64 = 0
    /// How many of this swarm's alerts are on the screen.
    var onScreen = 0
    var elections: ElectionOrder
    /// Messages that came to somebody before those in front of them came to anybody.
    var ahead: [UInt64: [UInt8]] = [:]
    /// Who follows it, as places in the list of cursors.
    var cursors: [Int] = []
    private var recent: [Entry]

    /// - Parameter memory: a power of two.
    init(index: Int, path: String, policy: Policy, isDecidable: Bool, memory: Int) {
        self.index = index
        self.path = path
        elections = ElectionOrder(policy, isDecidable: isDecidable)
        recent = [Entry](repeating: Entry(), count: memory)
    }

    func remember(_ entry: Entry) { recent[Int(truncatingIfNeeded: entry.seq) & (recent.count - 1)] = entry }

    /// Nil when it is too long ago.
    func entry(_ seq: UInt64) -> Entry? {
        let entry = recent[Int(truncatingIfNeeded: seq) & (recent.count - 1)]
        return entry.seq == seq && seq > 0 ? entry : nil
    }

    /// A part of the stream is missing: go on behind it.
    func jump(epoch: UInt64, seq: UInt64, at now: UInt64) {
        if epoch != self.epoch {
            for place in recent.indices { recent[place] = Entry() }
            ahead = [:]
        }
        self.epoch = epoch
        self.seq = seq
        jumpedAt = now
        elections.restart()
        ahead = ahead.filter { $0.key > seq }
    }

    /// A fingerprint of a message.
    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
        var at = 0
        while at + 8 <= bytes.count {
            hash = (hash ^ bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)) &* 0xD6E8_FEB8_6659_FD93
            hash ^= hash >> 32
            at += 8
        }
        while at < bytes.count {
            hash = (hash ^ UInt64(bytes[at])) &* 0x100_0000_01B3
            at += 1
        }
        return hash ^ hash >> 29
    }
}

/// How far one subscriber is with one surface.
struct StreamCursor {
    enum Phase { case closed, awaiting, live }

    let surface: Int
    let subscriber: Int
    /// It reads late on purpose, so nobody waits for what it could bring.
    var isSlow = false
    var phase = Phase.closed
    var epoch: UInt64 = 0
    var seq: UInt64 = 0
    /// What came while a snapshot was awaited: a run without holes up to `earlyLast`.
    var earlyFirst: UInt64 = 0
    var earlyLast: UInt64 = 0
    var earlyEpoch: UInt64 = 0
    /// Numbers that did not come; they may still come too late.
    var missing: [ClosedRange<UInt64>] = []
    /// It has everything that was published before this time, in nanoseconds: a question of then was answered.
    var confirmed: UInt64 = 0
}
