/// Slots in the order of their arrival, for those that cannot simply be appended.
///
/// Two levels of sorted arrays: an insertion moves at most one chunk's worth of memory.
struct SortedChunks: Sendable {
    struct Entry: Sendable {
        var arrival: UInt64
        var slot: Int32
    }

    private static let limit = 512
    private var chunks: [[Entry]] = []
    private(set) var count = 0

    var first: Entry? { chunks.first?.first }
    var last: Entry? { chunks.last?.last }

    mutating func insert(_ slot: Int32, arrival: UInt64) {
        count += 1
        if chunks.isEmpty {
            chunks.append([Entry(arrival: arrival, slot: slot)])
            return
        }
        let chunk = chunkIndex(for: arrival)
        let place = chunks[chunk].partition(below: arrival)
        chunks[chunk].insert(Entry(arrival: arrival, slot: slot), at: place)
        if chunks[chunk].count > Self.limit {
            let tail = Array(chunks[chunk][(Self.limit / 2)...])
            chunks[chunk].removeSubrange((Self.limit / 2)...)
            chunks.insert(tail, at: chunk + 1)
        }
    }

    mutating func remove(arrival: UInt64) {
        let chunk = chunkIndex(for: arrival)
        let place = chunks[chunk].partition(below: arrival)
        precondition(chunks[chunk][place].arrival == arrival, "removing a waiting alert that is not in its queue")
        chunks[chunk].remove(at: place)
        if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
        count -= 1
    }

    /// How many arrived before this one.
    func count(before arrival: UInt64) -> Int {
        var sum = 0
        for chunk in chunks {
            guard let last = chunk.last, last.arrival >= arrival else {
                sum += chunk.count
                continue
            }
            return sum + chunk.partition(below: arrival)
        }
        return sum
    }

    /// The first one that arrived after this.
    func first(after arrival: UInt64) -> Entry? {
        if chunks.isEmpty { return nil }
        let chunk = chunkIndex(for: arrival)
        let place = chunks[chunk].partition(below: arrival + 1)
        if place < chunks[chunk].count { return chunks[chunk][place] }
        return chunk + 1 < chunks.count ? chunks[chunk + 1].first : nil
    }

    func forEach(_ body: (Int32) -> Void) {
        for chunk in chunks { for entry in chunk { body(entry.slot) } }
    }

    /// The last chunk that begins at or before the arrival, or the first one.
    private func chunkIndex(for arrival: UInt64) -> Int {
        var low = 0
        var high = chunks.count
        while low < high {
            let middle = (low + high) / 2
            if chunks[middle][0].arrival <= arrival { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }
}

extension [SortedChunks.Entry] {
    /// The first place whose arrival is not below this one.
    fileprivate func partition(below arrival: UInt64) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].arrival < arrival { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
