import AlertBusModel

/// The deadlines of numbered things, the earliest first; at the same time the one with the lower tie number.
///
/// Each thing has at most one deadline here, and knows its place, so that changing or removing it is O(log n).
struct DeadlineHeap: Sendable {
    struct Entry: Sendable {
        var time: Milliseconds
        var tie: UInt64
        var slot: Int32
    }

    private var entries = Chunked<Entry>()
    private var places = Chunked<Int32>()

    @inline(__always)
    var first: Entry? { entries.count == 0 ? nil : entries[0] }

    /// - Parameter time: nil removes the deadline.
    mutating func set(_ slot: Int32, _ time: Milliseconds?, tie: UInt64) {
        while places.count <= Int(slot) { places.append(-1) }
        let place = places[slot]
        guard let time else {
            if place >= 0 { remove(at: Int(place)) }
            return
        }
        let entry = Entry(time: time, tie: tie, slot: slot)
        if place < 0 {
            entries.append(entry)
            places[slot] = Int32(entries.count - 1)
            rise(entries.count - 1)
        } else if entries[Int(place)].time != time {
            entries[Int(place)] = entry
            sink(rise(Int(place)))
        }
    }

    private mutating func remove(at place: Int) {
        places[entries[place].slot] = -1
        let last = entries.count - 1
        let moved = entries[last]
        entries.removeLast()
        if place < last {
            entries[place] = moved
            places[moved.slot] = Int32(place)
            sink(rise(place))
        }
    }

    @inline(__always)
    private func isBefore(_ a: Entry, _ b: Entry) -> Bool {
        a.time < b.time || (a.time == b.time && a.tie < b.tie)
    }

    @discardableResult
    private mutating func rise(_ start: Int) -> Int {
        var place = start
        let entry = entries[place]
        while place > 0 {
            let parent = (place - 1) >> 2
            if !isBefore(entry, entries[parent]) { break }
            put(entries[parent], at: place)
            place = parent
        }
        put(entry, at: place)
        return place
    }

    private mutating func sink(_ start: Int) {
        var place = start
        let entry = entries[place]
        while true {
            let firstChild = place << 2 + 1
            if firstChild >= entries.count { break }
            var best = firstChild
            for child in firstChild + 1..<max(firstChild + 1, min(firstChild + 4, entries.count))
            where isBefore(entries[child], entries[best]) {
                best = child
            }
            if !isBefore(entries[best], entry) { break }
            put(entries[best], at: place)
            place = best
        }
        put(entry, at: place)
    }

    private mutating func put(_ entry: Entry, at place: Int) {
        entries[place] = entry
        places[entry.slot] = Int32(place)
    }
}
