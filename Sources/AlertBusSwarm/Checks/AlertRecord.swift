import AlertBusModel

/// All that a swarm remembers of one alert until everything about it has been seen and compared.
struct AlertRecord: Numbered {
    struct Flags: OptionSet {
        let rawValue: UInt16
        static let accepted = Flags(rawValue: 1)
        /// Its producer heard that it ended.
        static let ended = Flags(rawValue: 2)
        static let onScreen = Flags(rawValue: 4)
        /// Something about it could not be heard or seen for a good reason, such as a connection that was closed on purpose: it is not
        /// counted how often it was shown.
        static let uncertain = Flags(rawValue: 8)
        static let withdrawing = Flags(rawValue: 16)
        /// In its producer's list of living alerts.
        static let listed = Flags(rawValue: 32)
        /// It was shown at least once.
        static let seen = Flags(rawValue: 64)
        /// The arbiter was asked where it stands, because its end is overdue.
        static let asked = Flags(rawValue: 128)
    }

    /// Its number, which its key says; 0 marks a free place.
    var number: UInt64 = 0
    var instance: UInt64 = 0
    /// When its raise was due and when it was sent, in nanoseconds.
    var intended: UInt64 = 0
    var sent: UInt64 = 0
    var producer: Int32 = 0
    var surface: Int32 = 0
    /// Neighbours in the list of its producer's living alerts; -1 is none.
    var previous: Int32 = -1
    var next: Int32 = -1
    /// How often its producer was told that it is on the screen, and how often the stream showed and hid it.
    var told: UInt32 = 0
    var shows: UInt32 = 0
    var hides: UInt32 = 0
    var revision: UInt32 = 0
    /// Commands about it that are not answered.
    var pending: UInt32 = 0
    var kind: UInt8 = 0
    var flags: Flags = []
    var reason = Reason.raised
    /// The numbers of what a person sent, of what the arbiter confirmed, and of what its producer heard; 0 is none.
    var answer: UInt64 = 0
    var confirmed: UInt64 = 0
    var heard: UInt64 = 0
    /// When the answer was due and when it was sent.
    var answerIntended: UInt64 = 0
    var answerSent: UInt64 = 0
    /// How many elections its surface had seen when it was covered.
    var coveredAt: UInt64 = 0
}
