import AlertBusModel
import AlertBusWire

/// What a program asks of the arbiter by its client.
package enum CommandOrder: Sendable {
    /// - Parameter timeout: how long the reply is awaited; nil for ever.
    case submit(id: UInt64, Request.Body, timeout: Milliseconds?)
}

/// What became of a command, exactly once for each.
package enum CommandNotice: Sendable {
    case answered(id: UInt64, CommandAnswer)
    case failed(id: UInt64, ClientError)
}

package enum CommandAnswer: Equatable, Sendable {
    case accepted(Accepted, watchers: Int?)
    case done(Done)
    case event(Receipt)
    case alerts([AlertSummary])
    case subscribers([SubscriberSummary])
    case counters([CountersReport.Counter])
    case snapshot(epoch: UInt64, [SurfaceSnapshot])
    case explanation(Explanation)
}

/// Commands until their reply has come: each is sent until it is answered, in order for each surface.
///
/// Sending again is safe, because every command that changes something carries a token by which the arbiter knows it.
package struct CommandOutbox: Sendable {
    package struct Options: Sendable {
        /// For the errors.
        package var endpoint = ""
        /// The name that the commands claim; nil claims none.
        package var producer: String?
        package var count = 10_000
        package var bytes = 64 << 20
        package var retriesOverLimit = false
        /// An unanswered command is sent again after this on a connection that lives.
        package var resendAfter: Milliseconds = 3000

        package init() {}
    }

    package enum Item: Sendable {
        case send(Request)
        case notify(CommandNotice)
    }

    struct Entry: Sendable {
        let id: UInt64
        let body: Request.Body
        let lane: String
        let bytes: Int
        let timeout: Milliseconds?
        let deadline: Milliseconds
        /// How often it was sent.
        var attempts = 0
        /// How often it was refused for now.
        var refusals = 0
        var isSent = false
        /// When it is sent again if no answer comes, or not before when it was refused for now.
        var resendAt: Milliseconds = .max
        /// Parts of a long reply.
        var partial: CommandAnswer?
    }

    package let options: Options
    private let token: String
    var entries: [UInt64: Entry] = [:]
    /// Surfaces where something older has to be answered first, up to this command.
    private var held: [String: UInt64] = [:]
    private var items: [Item] = []
    private var isConnected = false
    private(set) var bytes = 0
    package private(set) var nextDeadline: Milliseconds = .max

    /// - Parameter token: unique for this start of the process and this client.
    package init(token: String, options: Options) {
        self.token = token
        self.options = options
    }

    package var count: Int { entries.count }

    package mutating func takeItems() -> [Item] {
        if items.isEmpty { return [] }
        defer { items = [] }
        return items
    }

    // MARK: Events

    package mutating func ordered(_ order: CommandOrder, at now: Milliseconds) {
        guard case .submit(let id, let body, let timeout) = order else { return }
        let size = body.approximateBytes
        guard entries.count < options.count, bytes + size <= options.bytes else {
            return items.append(.notify(.failed(id: id, .outboxFull(count: entries.count, bytes: bytes))))
        }
        let deadline = timeout.map { now + $0 } ?? .max
        entries[id] = Entry(
            id: id, body: body, lane: body.lane, bytes: size, timeout: timeout, deadline: deadline)
        bytes += size
        nextDeadline = min(nextDeadline, deadline)
        if isConnected && held[body.lane] == nil { send(id, at: now) }
    }

    /// Everything that was sent may be lost: all of it goes again, in order, before anything newer.
    package mutating func connected(at now: Milliseconds) {
        isConnected = true
        held = [:]
        for id in entries.keys.sorted() {
            guard let entry = entries[id], held[entry.lane] == nil else { continue }
            entries[id]?.partial = nil
            // Refused for now, and its time has not come: it keeps its place.
            if !entry.isSent && entry.refusals > 0 && entry.resendAt > now { held[entry.lane] = id } else { send(id, at: now) }
        }
    }

    package mutating func disconnected() {
        isConnected = false
        schedule()
    }

    /// - Returns: how often the answered command was sent, nil when the message answers none of these.
    @discardableResult
    package mutating func received(_ message: ServerMessage, at now: Milliseconds) -> Int? {
        // Not the whole entry: a second reference to what has come of a long reply would have each part copy it all.
        guard let id = Self.id(of: message.ref), let attempts = entries[id]?.attempts else { return nil }
        switch message {
        case .reply(_, .refused(let refusal), _):
            if refusal.reason == .overLimit && refusal.retryAfter > 0 && options.retriesOverLimit {
                postpone(id, by: refusal.retryAfter, at: now)
                return attempts
            }
            finish(id, .failed(id: id, .refused(refusal)), at: now)
        case .reply(_, .accepted(let accepted), let watchers):
            finish(id, .answered(id: id, .accepted(accepted, watchers: watchers)), at: now)
        case .reply(_, .done(let done), _): finish(id, .answered(id: id, .done(done)), at: now)
        case .reply(_, .event(let receipt), _): finish(id, .answered(id: id, .event(receipt)), at: now)
        case .explanation(_, let explanation): finish(id, .answered(id: id, .explanation(explanation)), at: now)
        case .counters(let report): finish(id, .answered(id: id, .counters(report.counters)), at: now)
        case .alerts(let part):
            var all: [AlertSummary] = []
            if case .alerts(let before) = takePartial(id) { all = before }
            all += part.alerts
            collect(id, .alerts(all), last: part.last, at: now)
        case .subscribers(let part):
            var all: [SubscriberSummary] = []
            if case .subscribers(let before) = takePartial(id) { all = before }
            all += part.subscribers
            collect(id, .subscribers(all), last: part.last, at: now)
        case .snapshot(let part):
            var all: [SurfaceSnapshot] = []
            if case .snapshot(_, let before) = takePartial(id) { all = before }
            all += part.surfaces
            collect(id, .snapshot(epoch: part.epoch, all), last: part.last, at: now)
        case .event, .stream, .beat, .pong, .load, .unload, .unknown: return nil
        }
        return attempts
    }

    private mutating func takePartial(_ id: UInt64) -> CommandAnswer? { entries[id]?.partial.take() }

    package mutating func timePassed(to now: Milliseconds) {
        guard now >= nextDeadline else { return }
        var late: [UInt64] = []
        var silent: Set<String> = []
        var ready: [UInt64] = []
        for entry in entries.values {
            if entry.deadline <= now {
                late.append(entry.id)
            } else if isConnected && entry.resendAt <= now {
                if entry.isSent { silent.insert(entry.lane) } else { ready.append(entry.id) }
            }
        }
        for id in late.sorted() {
            guard let timeout = entries[id]?.timeout else { continue }
            finish(id, .failed(id: id, .noArbiter(endpoint: options.endpoint, after: timeout)), at: now)
        }
        for lane in silent.sorted() { sendAgain(lane, at: now) }
        for id in ready.sorted() where entries[id] != nil { send(id, at: now) }
        schedule()
    }

    /// Nothing will be answered any more.
    package mutating func failAll(_ error: ClientError) {
        for id in entries.keys.sorted() { items.append(.notify(.failed(id: id, error))) }
        entries = [:]
        held = [:]
        bytes = 0
        nextDeadline = .max
    }

    // MARK: Sending

    private mutating func send(_ id: UInt64, at now: Milliseconds) {
        guard var entry = entries[id] else { return }
        entry.attempts += 1
        entry.isSent = true
        // Longer each time: an arbiter that is slow is not made faster by repetition.
        entry.resendAt = now + options.resendAfter << min(entry.attempts - 1, 3)
        entries[id] = entry
        nextDeadline = min(nextDeadline, entry.resendAt)
        // The arbiter remembers a refusal under the token too, so a new attempt needs a new one.
        let once = entry.body.changesState ? "\(token)-\(id)" + (entry.refusals > 0 ? "-\(entry.refusals)" : "") : nil
        items.append(.send(Request(entry.body, ref: Self.ref(of: id), once: once, producer: options.producer)))
    }

    /// A lost command is sent again with all younger ones of its surface that were sent, and nothing newer until
    /// they are answered.
    private mutating func sendAgain(_ lane: String, at now: Milliseconds) {
        let ids = entries.values.filter { $0.lane == lane && $0.isSent }.map(\.id).sorted()
        guard let last = ids.last else { return }
        if !lane.isEmpty { held[lane] = max(held[lane] ?? 0, last) }
        for id in ids { send(id, at: now) }
    }

    private mutating func postpone(_ id: UInt64, by delay: Milliseconds, at now: Milliseconds) {
        guard var entry = entries[id] else { return }
        entry.isSent = false
        entry.refusals += 1
        entry.resendAt = now + delay
        entries[id] = entry
        held[entry.lane] = max(held[entry.lane] ?? 0, id)
        nextDeadline = min(nextDeadline, entry.resendAt)
    }

    private mutating func collect(_ id: UInt64, _ answer: CommandAnswer, last: Bool, at now: Milliseconds) {
        if last { finish(id, .answered(id: id, answer), at: now) } else { entries[id]?.partial = answer }
    }

    private mutating func finish(_ id: UInt64, _ notice: CommandNotice, at now: Milliseconds) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        bytes -= entry.bytes
        items.append(.notify(notice))
        guard isConnected, let last = held[entry.lane] else { return }
        if entries.values.contains(where: { $0.lane == entry.lane && $0.id <= last }) { return }
        held[entry.lane] = nil
        let waiting = entries.values.filter { $0.lane == entry.lane && !$0.isSent }.map(\.id).sorted()
        for id in waiting { send(id, at: now) }
    }

    private mutating func schedule() {
        var next = Milliseconds.max
        for entry in entries.values {
            next = min(next, entry.deadline)
            if isConnected { next = min(next, entry.resendAt) }
        }
        nextDeadline = next
    }

    // MARK: Refs

    private static func ref(of id: UInt64) -> [UInt8] { Array("\"c\(id)\"".utf8) }

    private static func id(of ref: [UInt8]) -> UInt64? {
        guard ref.count > 3, ref[1] == UInt8(ascii: "c") else { return nil }
        return UInt64(String(decoding: ref[2..<(ref.count - 1)], as: UTF8.self))
    }
}
