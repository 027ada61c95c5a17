import AlertBusConfiguration
import AlertBusCore
import AlertBusJournal
import AlertBusModel
import AlertBusWire
import Synchronization
import ZeroMQ

/// The arbiter as a service: it owns the sockets and the core, and runs on the thread that calls `run`.
///
/// One batch goes through it like this: take what has arrived, decode, step the core, write the inputs to the journal, and when
/// they are committed publish, then reply. The core may run ahead of the journal; what is sent may not.
///
/// What every message touches is marked `@exclusivity(unchecked)`, here and in what belongs to this thread: the checks at run time took an
/// eighth of a message's instructions. None can fail: all of it belongs to the one thread of `run`, and what is called while a property
/// is being changed (the core, the writers, libzmq) never comes back here.
public final class Service {
    let context: Context
    let router: RouterSocket
    let monitor: Monitor
    let feedSocket: XPublisherSocket?
    let feedMonitor: Monitor?
    var feedSubscriptions = FeedSubscriptions()
    let poller = Poller()
    let remote: ServiceRemote
    let delivery: Delivery
    let decoder: RequestDecoder
    @exclusivity(unchecked) var configuration: Configuration
    @exclusivity(unchecked) var arbiter: Arbiter
    var clock: ServiceClock
    @exclusivity(unchecked) var now: Milliseconds
    let pipeline: Pipeline
    let admission: Admission

    @exclusivity(unchecked) var sessionsByPeer = PeerTable()
    var sessions: [UInt64: Session] = [:]
    var lastSession: UInt64 = 0
    var providers = Providers()
    @exclusivity(unchecked) var beats = BeatSchedule()
    /// Sessions with replies that are not finished.
    var replying: [Session] = []
    @exclusivity(unchecked) var effects: [Effect] = []
    @exclusivity(unchecked) var message = Message()
    /// What `message` says.
    @exclusivity(unchecked) var request = DecodedRequest()
    var nextSweep: Milliseconds = 0
    var nextRetry: Milliseconds = 0
    /// When those are offered more that took something the last time.
    var nextCatchUp: Milliseconds = .max
    /// When to look whether the providers at work are still there.
    var nextProviderCheck: Milliseconds = .max
    let started: Milliseconds
    /// Sessions that were lost and owned alerts that close; the core has not been told yet.
    var lostOwners: [UInt64] = []
    /// Hears what an operator should know, one line at a time, on the thread of `run`.
    public var onReport: ((String) -> Void)?
    /// What the start found, to be reported when somebody hears it.
    private var warnings: [String]
    /// The state has taken what the journal has not, and could not be brought back because the journal cannot be read.
    var isStateAhead = false
    var isFailureReported = false
    /// Subscriptions that wait until the state is certain again.
    var heldClaims: [Outbox.Claim] = []
    /// Another arbiter leads; this one has to end.
    var deposedBy: JournalHead?

    /// Buckets of keys, by name: all connections of a key share one.
    var buckets: [String: TokenBucket] = [:]
    var nextInvariantCheck: Milliseconds = 0

    /// How often something is offered to those who did not take it.
    static let retryInterval: Milliseconds = 20
    /// How often it is looked for sessions that went silent.
    static let sweepInterval: Milliseconds = 500

    /// The most messages that are taken before what they brought is sent. With a journal so many that what a batch costs is little for
    /// each, while the one before is on its way to the disk; without one, few enough that peers and the arbiter work at the same
    /// time, instead of each waiting for the other's whole batch.
    var batchLimit: Int { pipeline.journal == nil ? 128 : 256 }
    /// The longest that messages are taken before what they brought is sent.
    static let batchMicroseconds: Int64 = 2000

    /// Binds the sockets and recovers what the journal holds. Nobody is answered before `run`.
    ///
    /// - Throws: `ServiceError` when an address cannot be bound or the journal cannot be used.
    public convenience init(configuration: Configuration) throws(ServiceError) {
        try self.init(configuration, recovered: try Recovery.open(configuration))
    }

    /// The same with a store of the caller's own, for tests.
    package convenience init(
        configuration: Configuration,
        opening: @escaping @Sendable (String, SQLiteJournal.Options) throws(JournalError) -> any JournalStore
    ) throws(ServiceError) {
        try self.init(configuration, recovered: try Recovery.open(configuration, opening: opening))
    }

    /// The same with a handler that decides alike for every connection, to prove that the check at the start notices.
    package convenience init(configuration: Configuration, everybodyGets decision: ZAPDecision) throws(ServiceError) {
        try self.init(configuration, recovered: try Recovery.open(configuration), override: decision)
    }

    /// The same on a clock that a simulation moves; `serve` takes the place of `run`.
    package convenience init(configuration: Configuration, time: SimulatedTime) throws(ServiceError) {
        try self.init(configuration, recovered: try Recovery.open(configuration), time: time)
    }

    private init(
        _ configuration: Configuration, recovered: Recovery, override: ZAPDecision? = nil, time: SimulatedTime? = nil
    ) throws(ServiceError) {
        self.configuration = configuration
        arbiter = recovered.arbiter
        warnings = recovered.warnings
        clock = ServiceClock(notBefore: recovered.arbiter.now, simulated: time)
        now = clock.now()
        started = now
        decoder = RequestDecoder(limits: WireLimits(messageBytes: configuration.peerLimits.messageBytes))
        do {
            remote = try ServiceRemote()
            // They are woken by each batch that is sent, and must not stop its sending.
            context = try Context(ioThreads: configuration.arbiter.ioThreads, ioScheduling: .batch)
        } catch {
            throw ServiceError.sockets(error)
        }
        admission = try Admission(context, configuration, override: override)
        do {
            router = try RouterSocket(context)
            try Sockets.prepare(router, configuration)
            try admission.protect(router, domain: Admission.requestsDomain)
            monitor = try Monitor(of: router)
            feedSocket = configuration.arbiter.feed == nil ? nil : try XPublisherSocket(context)
            if let feedSocket {
                try Sockets.prepare(feedSocket, configuration)
                try admission.protect(feedSocket, domain: Admission.feedDomain)
                // Each subscription is heard, so that those of one observer can be counted.
                try feedSocket.setVerbose(true)
                feedMonitor = try Monitor(of: feedSocket)
            } else {
                feedMonitor = nil
            }
        } catch {
            throw ServiceError.sockets(error)
        }
        delivery = Delivery(
            router: router, feed: feedSocket, subscriberBound: configuration.peerLimits.subscriberBacklogBytes,
            producerBound: configuration.peerLimits.producerBacklogBytes)
        pipeline = Pipeline(journal: recovered.journal, head: recovered.head)
        beats.afterChange = configuration.feed.beatAfter
        beats.cycle = configuration.feed.beatCycle
        pipeline.saving.every = configuration.journal.snapshotEvery
        pipeline.saving.noteReplayed(recovered.replayed)
        if configuration.journal.maxBytes > 0 { pipeline.saving.bytes = configuration.journal.maxBytes / 4 }
        try bind(router, configuration.arbiter.requests.text, "requests")
        if let feedSocket, let feed = configuration.arbiter.feed { try bind(feedSocket, feed.text, "feed") }
        try Canary.check(context, admission, endpoint: requestsEndpoint())
        if let feed = feedEndpoint() { try Canary.check(context, admission, endpoint: feed, isFeed: true) }
    }

    /// Stops and reloads from another thread or a signal handler's thread.
    public var control: ServiceRemote { remote }

    /// Where requests are received, with the port that the system chose.
    public func requestsEndpoint() -> String { (try? router.lastEndpoint()) ?? configuration.arbiter.requests.text }

    /// Where the feed is published; nil when there is none.
    public func feedEndpoint() -> String? { feedSocket.flatMap { try? $0.lastEndpoint() } }

    /// The generation that `run` serves.
    public var epoch: UInt64 { pipeline.journal == nil ? arbiter.epoch : pipeline.head.epoch }

    private func bind(_ socket: TransportSocket, _ text: String, _ role: String) throws(ServiceError) {
        do {
            let endpoint = try Endpoint(text)
            // Only where asked for: otherwise an IPv4 address is shown as a mapped IPv6 one.
            if text.contains("[") { try socket.setIPv6(true) }
            do { try socket.bind(endpoint, fileMode: configuration.arbiter.ipcMode) } catch {
                throw ServiceError.bind(role: role, endpoint: text, "\(error)")
            }
        } catch let error as ServiceError {
            throw error
        } catch {
            throw ServiceError.bind(role: role, endpoint: text, "\(error)")
        }
    }

    /// What the loop waits for.
    struct Watched {
        let requests: Poller.Slot
        let bell: Poller.Slot
        let monitored: Poller.Slot
        let asked: Poller.Slot
        let feedMonitored: Poller.Slot?
        let feedAsked: Poller.Slot?
    }

    private(set) lazy var watched: Watched = {
        if let journal = pipeline.journal { _ = poller.add(descriptor: journal.completionDescriptor) }
        return Watched(
            requests: poller.add(router), bell: poller.add(descriptor: remote.doorbell.descriptor),
            monitored: poller.add(monitor), asked: poller.add(admission.handler.socket),
            feedMonitored: feedMonitor.map { poller.add($0) }, feedAsked: feedSocket.map { poller.add($0) })
    }()

    /// Serves until `control.stop()`.
    ///
    /// - Throws: `ServiceError` when a socket fails in a way that cannot be served around.
    public func run() throws(ServiceError) {
        warnings.forEach(report)
        warnings = []
        reportFewDescriptors()
        do throws(ZMQError) {
            begin()
            while try turn(waiting: nil) {}
            try drainAtEnd()
        } catch {
            throw ServiceError.sockets(error)
        }
        if let deposedBy { throw ServiceError.deposed(deposedBy) }
    }

    /// Waits for something to do, and does it.
    ///
    /// - Parameter milliseconds: the longest wait; nil is until something arrives or is due.
    /// - Returns: whether the loop goes on.
    func turn(waiting milliseconds: Int?) throws(ZMQError) -> Bool {
        let watched = self.watched
        _ = try poller.wait(milliseconds: milliseconds ?? waitingTime())
        now = clock.now()
        if poller.isReadable(watched.bell) { remote.doorbell.clear() }
        if remote.isStopping { return false }
        failUnserved()
        if let fresh = remote.takeConfiguration() { reload(fresh) }
        // Who has gone comes before who has come: a descriptor may be both.
        if poller.isReadable(watched.monitored) { try takeConnectionNews() }
        if let slot = watched.feedMonitored, poller.isReadable(slot) { try drainFeedMonitor() }
        if poller.isReadable(watched.asked) { try admission.answer() }
        if let slot = watched.feedAsked, poller.isReadable(slot) { try takeSubscriptions() }
        if poller.isReadable(watched.requests) { try takeMessages() }
        if admission.connections.hasDoomed { try endDoomed() }
        passTime()
        try sweepIfDue()
        try finishBatch()
        return deposedBy == nil
    }

    /// A new generation begins: the journal's epoch, or the only one of an arbiter without a journal.
    func begin() {
        let epoch = pipeline.journal == nil ? arbiter.epoch : pipeline.head.epoch
        // A client knows by its number whether it is still the same session: one that compares nothing else must notice a restart,
        // so no number of another start comes again.
        lastSession = epoch << 24
        step(.started(epoch: epoch))
        configureIfNeeded()
        for (surface, seq) in arbiter.heads() { self.surface(surface).lastSeq = seq }
    }

    /// The journal begins with the rules that its first inputs met, so that it can be replayed without the configuration.
    func configureIfNeeded() {
        if pipeline.head.position == 0 || arbiter.policies != configuration.policies || arbiter.limits != configuration.limits {
            step(.configured(configuration.policies, configuration.limits))
        }
    }

    private func takeMessages() throws(ZMQError) {
        let start = ServiceClock.microseconds()
        for count in 0..<batchLimit where pipeline.current.writer.count < Self.batchBytes {
            // Whoever is alone waits for the batch that others fill, so it ends after a time as well.
            if count & 31 == 31, ServiceClock.microseconds() - start > Self.batchMicroseconds { return }
            guard let arrival = try router.tryReceive(into: &message) else {
                return admission.connections.noteAllRead(at: .requests)
            }
            delivery.counters.received += 1
            switch arrival {
            case .message(let peer, let delimited):
                received(from: session(of: peer, delimited: delimited))
            case .tooManyFrames(let peer, let count):
                refuseFrames(session(of: peer, delimited: false), count)
            case .foreignRoutingID:
                delivery.counters.malformed += 1
                delivery.counters.foreignRoutingIDs += 1
            }
        }
    }

    private func session(of peer: RoutingID, delimited: Bool) -> Session {
        if let session = sessionsByPeer.find(peer) {
            session.lastHeard = now
            if session.awaitsConnection { findConnection(of: session) }
            if session.isDelimited != delimited && !session.isGone { session.isDelimited = delimited }
            return session
        }
        lastSession += 1
        let session = Session(number: lastSession, peer: peer, at: now)
        // The key belongs to the connection; libzmq tells it with the body.
        session.key = message.userID ?? ""
        session.client = admission.client(key: session.key)
        findConnection(of: session)
        session.isDelimited = delimited
        sessionsByPeer.add(session)
        sessions[lastSession] = session
        // Without sessions nothing is swept for a minute, and a new one must not wait for that.
        nextSweep = min(nextSweep, now + Self.sweepInterval)
        return session
    }

    /// What nobody could be asked fails a moment before its deadline, since the core's clock could only say that no answer came.
    private func failUnserved() {
        guard !pipeline.isFailed else { return }
        let present = now
        for (load, cause) in providers.takeUnserved(by: now + 1) {
            now = max(arbiter.now, min(present, load.deadline - 1))
            step(.loadFailed(load: load.load, message: cause))
        }
        now = present
    }

    func passTime() {
        // Without a journal that takes the passing of time, the screens stay as they are.
        guard !pipeline.isFailed, let due = arbiter.deadlineInPlace(), due <= now else { return }
        step(.tick)
    }

    /// Hands the batch to the journal, and sends what the journal has taken.
    func finishBatch() throws(ZMQError) {
        pipeline.seal(at: now) { arbiter }
        switch pipeline.takeAnswers(at: now) {
        case .nothing: break
        case .failed(let lost): journalFailed(lost)
        case .healthy: journalRecovered()
        case .deposed(let head): deposedBy = head
        }
        reportFailure()
        // What the answers brought is a batch of its own.
        pipeline.seal(at: now) { arbiter }
        if !pipeline.aside.isEmpty {
            try delivery.release([pipeline.aside], at: now)
            pipeline.aside.clear()
        }
        let released = pipeline.takeReleased()
        if !released.isEmpty {
            try delivery.release(released, at: now)
            released.forEach(pipeline.recycle)
        }
        for session in delivery.takeGone() { forget(session) }
        endOrphans()
        pipeline.probeIfDue(at: now)
    }

    /// At the end nothing that was accepted is left unsaid, as far as the journal answers in time.
    func drainAtEnd() throws(ZMQError) {
        let end = clock.now() + 2000
        try finishBatch()
        while pipeline.isWaiting, clock.now() < end {
            _ = try poller.wait(milliseconds: 50)
            remote.doorbell.clear()
            now = clock.now()
            try finishBatch()
        }
        saveAtEnd()
        pipeline.close()
    }

    private func waitingTime() -> Int {
        if pipeline.hasUnsealed { return 0 }
        var next = min(nextSweep, pipeline.nextDue, nextProviderCheck)
        if !pipeline.isFailed {
            if let deadline = arbiter.deadlineInPlace() { next = min(next, deadline) }
            if providers.firstUnserved < .max { next = min(next, providers.firstUnserved - 1) }
        }
        if !isStateUncertain {
            next = min(next, beats.nextDue, replyDue)
            if !delivery.behind.isEmpty { next = min(next, nextRetry, nextCatchUp) }
        }
        return Int(max(0, min(next - clock.now(), 60_000)))
    }
}
