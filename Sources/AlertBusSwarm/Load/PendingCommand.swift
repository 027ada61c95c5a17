/// A command that waits for its reply.
struct PendingCommand: Numbered {
    enum Kind: UInt8 { case raise, update, withdraw, answer, dismiss, status }

    /// Its `ref`; 0 marks a free place.
    var number: UInt64 = 0
    var kind = Kind.raise
    /// The connection that sends it.
    var line: Int32 = 0
    /// The alert that it is about.
    var alert: UInt64 = 0
    var intended: UInt64 = 0
    var sent: UInt64 = 0
    /// When it was sent last.
    var lastSent: UInt64 = 0
    /// Its place among the commands of its connection.
    var order: UInt64 = 0
    var resends: UInt32 = 0
}
