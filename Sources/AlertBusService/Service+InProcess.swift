import AlertBusCore
import ZeroMQ

// The whole service on the thread of its peers, a turn at a time: for a simulation that moves its clock, and for a profiler that counts.
extension Service {
    package var state: Arbiter { arbiter }

    /// Lets peers of this process connect to the request port by a name, in the context that is returned.
    ///
    /// No thread of libzmq stands between them and the service, so the order of what arrives is the caller's alone, and two runs do the same.
    /// Keys and the watch over connections belong to real transports and play no part.
    package func admitPeers(as name: String) throws -> Context {
        try router.bind(.inproc(name: name))
        return context
    }

    /// What `run` begins with.
    package func beginServing() throws {
        now = clock.now()
        begin()
        try finishBatch()
    }

    /// Waits for something to do, and does it.
    package func serveOnce() throws { _ = try turn(waiting: nil) }

    /// Serves what has arrived and what is due now, or at the simulated time, until the journal has taken it all and nothing is left to do.
    package func serve() throws {
        repeat {
            guard try turn(waiting: pipeline.isWaiting ? 1000 : 0) else { return }
        } while try pipeline.isWaiting || pipeline.hasUnsealed || replyDue <= now || poller.wait(milliseconds: 0) > 0
    }

    /// What is left when the process is killed: what the journal has taken.
    package func abandonServing() { pipeline.close() }

    /// What a clean end does.
    package func endServing() throws { try drainAtEnd() }
}
