import AlertBusModel

/// Where a listing in pieces goes on. It keeps nothing alive: alerts may come and go between two pieces.
public struct ListingPlace: Equatable, Sendable {
    enum Part: Equatable { case shown, waiting, loading }

    /// One of a list through the records, and how to know that it is still the same.
    struct Anchor: Equatable {
        var slot: Int32
        var instance: UInt64
    }

    var surface: Int32 = 0
    var part = Part.shown
    /// The level of what waits that is being told.
    var level = Int(UInt8.max)
    /// What arrived up to here has been told, of this level or of what is loading.
    var arrival: UInt64 = 0
    /// The position of the waiting one that was told last.
    var position = 0
    /// Where each list goes on as long as that one is in it: by class of waiting, or the first one for what is loading.
    var anchors = [Anchor?](repeating: nil, count: WaitingClass.count)

    public init() {}

    mutating func begin(_ part: Part, level: Int = Int(UInt8.max)) {
        self.part = part
        self.level = level
        arrival = 0
        for index in anchors.indices { anchors[index] = nil }
        if part == .shown { position = 0 }
    }
}
