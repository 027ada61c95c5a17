import AlertBusModel
import AlertBusWire

/// How far each stream of a subscription was read.
struct StreamPositions {
    private var positions: [String: (epoch: UInt64, seq: UInt64)] = [:]

    mutating func take(_ part: SnapshotPart) {
        for surface in part.surfaces { positions[surface.surface] = (surface.epoch, surface.seq) }
    }

    /// Whether the message is the next one of its stream; if it is not, something is missing.
    mutating func follows(_ message: StreamMessage) -> Bool {
        let last = positions[message.surface]
        let isNext = message.seq == 1 || last.map { $0.epoch == message.epoch && $0.seq + 1 == message.seq } ?? false
        if isNext { positions[message.surface] = (message.epoch, message.seq) }
        return isNext
    }

    /// Whether the arbiter has sent more than was heard.
    func isBehind(_ pong: Pong) -> Bool {
        pong.surfaces.contains { position in
            guard let last = positions[position.surface], last.epoch == pong.epoch else { return true }
            return last.seq < position.seq
        }
    }
}
