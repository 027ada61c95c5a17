import AlertBusModel

/// Tells alerts from a place on until it has told or seen enough. Lists are walked through the records; where the one to go on with has
/// left its list, the list is walked again from its beginning, which counts as seen.
struct Lister {
    private let arbiter: Arbiter
    private let limit: Int
    private let scan: Int
    private(set) var place: ListingPlace
    private(set) var told: [AlertSummary] = []
    private var seen = 0

    init(_ arbiter: Arbiter, from place: ListingPlace, limit: Int, scan: Int) {
        self.arbiter = arbiter
        self.place = place
        self.limit = limit
        self.scan = scan
    }

    private var isFull: Bool { told.count >= limit || seen >= scan }

    /// - Returns: whether all has been told.
    mutating func run(_ scope: SurfaceScope) -> Bool {
        if !scope.isPrefix {
            guard let only = arbiter.surfaceNames.find(scope.text) else { return true }
            return tellSurface(only)
        }
        while place.surface < Int32(arbiter.surfaces.count) {
            if isFull { return false }
            if scope.contains(arbiter.surfaces[place.surface].path), !tellSurface(place.surface) { return false }
            seen += 1
            place.surface += 1
            place.begin(.shown)
        }
        return true
    }

    private mutating func tellSurface(_ id: Int32) -> Bool {
        if place.part == .shown {
            // A screen is small.
            for slot in arbiter.stack(on: id).reversed() { tell(slot, position: 0) }
            place.begin(.waiting)
        }
        if place.part == .waiting {
            let highest = arbiter.surfaces[id].queues.reduce(0) { max($0, $1.levels.count) } - 1
            if place.level > highest { place.level = highest }
            while place.level >= 0 {
                guard tellLevel(id) else { return false }
                place.begin(.waiting, level: place.level - 1)
            }
            place.begin(.loading)
        }
        return tellLoading(id)
    }

    private mutating func tell(_ slot: Int32, position: Int) {
        told.append(arbiter.summary(slot, position: position))
        seen += 1
    }

    // MARK: Waiting

    /// The lists of all classes merged by arrival.
    private mutating func tellLevel(_ id: Int32) -> Bool {
        var lists = [Int32](repeating: SlotIndex.none, count: WaitingClass.count)
        var asides = [SortedChunks.Entry?](repeating: nil, count: WaitingClass.count)
        for (index, queue) in arbiter.surfaces[id].queues.enumerated() where place.level < queue.levels.count {
            asides[index] = queue.levels[place.level].aside?.first(after: place.arrival)
            guard let slot = start(of: queue.levels[place.level], index, id) else { return false }
            // Should there be no time for the next list, this one need not be walked again.
            place.anchors[index] = anchor(slot)
            lists[index] = slot
        }
        while let next = earliest(lists, asides) {
            if isFull {
                for index in lists.indices { place.anchors[index] = anchor(lists[index]) }
                return false
            }
            place.position += 1
            place.arrival = arbiter.alerts[next.slot].instance
            tell(next.slot, position: place.position)
            if next.isAside {
                asides[next.index] = arbiter.surfaces[id].queues[next.index].levels[place.level].aside?.first(after: place.arrival)
            } else {
                lists[next.index] = arbiter.alerts[next.slot].above
            }
        }
        return true
    }

    /// The first of a list that has not been told; `none` when all have, nil when there was no time to find it.
    private mutating func start(of level: WaitingQueue.Level, _ index: Int, _ id: Int32) -> Int32? {
        guard level.tail != SlotIndex.none, arbiter.alerts[level.tail].instance > place.arrival else { return SlotIndex.none }
        var slot = level.head
        if let anchor = place.anchors[index], isWaiting(anchor, index, id) { slot = anchor.slot }
        while arbiter.alerts[slot].instance <= place.arrival {
            if seen >= scan {
                place.anchors[index] = anchor(slot)
                return nil
            }
            seen += 1
            slot = arbiter.alerts[slot].above
        }
        return slot
    }

    private func isWaiting(_ anchor: ListingPlace.Anchor, _ index: Int, _ id: Int32) -> Bool {
        guard isThere(anchor) else { return false }
        let record = arbiter.alerts[anchor.slot]
        return (record.state == .deferred || record.state == .covered) && !record.isAside
            && WaitingClass(breaksThrough: record.breaksThrough, isUrgent: record.isUrgent).index == index
            && Int(arbiter.surfaces[id].level(record.priority)) == place.level
    }

    private func earliest(
        _ lists: [Int32], _ asides: [SortedChunks.Entry?]
    ) -> (slot: Int32, index: Int, isAside: Bool)? {
        var found: (slot: Int32, index: Int, isAside: Bool)?
        var arrival = UInt64.max
        for index in lists.indices {
            if lists[index] != SlotIndex.none, arbiter.alerts[lists[index]].instance < arrival {
                arrival = arbiter.alerts[lists[index]].instance
                found = (lists[index], index, false)
            }
            if let entry = asides[index], entry.arrival < arrival {
                arrival = entry.arrival
                found = (entry.slot, index, true)
            }
        }
        return found
    }

    // MARK: Loading

    /// They are in no list of their own, so all alerts of the surface are looked at, if there is any.
    private mutating func tellLoading(_ id: Int32) -> Bool {
        let last = arbiter.surfaces[id].lastAlert
        guard arbiter.surfaces[id].loadingCount > 0, arbiter.alerts[last].instance > place.arrival else { return true }
        var slot = arbiter.surfaces[id].firstAlert
        if let anchor = place.anchors[0], isThere(anchor) { slot = anchor.slot }
        while slot != SlotIndex.none {
            if isFull {
                place.anchors[0] = anchor(slot)
                return false
            }
            seen += 1
            let record = arbiter.alerts[slot]
            if record.state == .loading && record.instance > place.arrival {
                place.arrival = record.instance
                tell(slot, position: 0)
            }
            slot = record.nextOnSurface
        }
        return true
    }

    /// The state may be another one meanwhile, with fewer places: it goes back after a failure of the journal.
    private func isThere(_ anchor: ListingPlace.Anchor) -> Bool {
        Int(anchor.slot) < arbiter.alerts.slots && arbiter.alerts[anchor.slot].instance == anchor.instance
    }

    private func anchor(_ slot: Int32) -> ListingPlace.Anchor? {
        slot == SlotIndex.none ? nil : ListingPlace.Anchor(slot: slot, instance: arbiter.alerts[slot].instance)
    }
}
