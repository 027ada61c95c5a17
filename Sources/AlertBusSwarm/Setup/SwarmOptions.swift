import AlertBusModel
import ZeroMQ

/// How large a swarm is, how fast, how long, and whom it talks to.
package struct SwarmOptions: Sendable {
    package enum Rate: Equatable, Sendable {
        /// Messages a second of all producers together, due whether or not the arbiter keeps up.
        case perSecond(Double)
        /// Each producer sends as soon as its window has room.
        case max
    }

    package var profile = SwarmProfile.standard
    package var requests = Endpoint.tcp(host: "127.0.0.1", port: 5570)
    /// The client's own keys and the arbiter's; nil connects without encryption.
    package var keys: (own: CurveKeyPair, server: CurvePublicKey)?
    package var producers = 10
    package var subscribers = 4
    package var surfaces = 4
    package var rate = Rate.perSecond(1000)
    package var duration: Milliseconds = 10_000
    /// Commands of one producer that may wait for their reply.
    package var window = 32
    /// How long after the load the last alert may take to end; nil is as long as the longest one lives, and 10 s.
    package var drain: Milliseconds?
    /// In front of the names of surfaces and producers, so that swarms do not meet.
    package var prefix = "swarm"
    package var seed: UInt64 = 1
    /// How long all connections may take at the start.
    package var connectTimeout: Milliseconds = 30_000
    /// When the load begins, in milliseconds since 1970; nil is as soon as everything is connected.
    package var startAt: Milliseconds?
    /// Which part of the swarm this process is.
    package var share = Share()

    package init() {}

    /// One of several processes that make a swarm together. Each has its own surfaces, and its producers and subscribers use those
    /// alone, so that each can check its part by itself.
    package struct Share: Equatable, Sendable {
        package var index = 0
        package var count = 1

        package init(index: Int = 0, count: Int = 1) {
            precondition(index >= 0 && index < count, "a share is one of several")
            self.index = index
            self.count = count
        }

        package func part(of whole: Int) -> Int { whole / count + (index < whole % count ? 1 : 0) }

        /// The number in the whole swarm of the n-th in this share.
        package func number(_ local: Int) -> Int { local * count + index }
    }

    /// In front of the numbers of this process's surfaces.
    package var surfacePrefix: String { share.count == 1 ? prefix : "\(prefix)/\(share.index)" }

    package var ownProducers: Int { share.part(of: producers) }
    package var ownSubscribers: Int { share.part(of: subscribers) }
    package var ownSurfaces: Int { share.part(of: surfaces) }

    /// Of this process; 0 is as fast as possible.
    package var ownRate: Double {
        guard case .perSecond(let rate) = rate, producers > 0 else { return 0 }
        return rate * Double(ownProducers) / Double(producers)
    }

    package var drainTime: Milliseconds { drain ?? profile.longestLife + 10_000 }
}

/// Why a swarm could not do its work; what it found wrong with the arbiter is no such error but in the report.
package enum SwarmError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Of so many connections that are wanted only some are ready.
    case notConnected(ready: Int, of: Int, Endpoint, after: Milliseconds)
    /// A surface shows something already.
    case inUse(surface: String, key: String)
    /// Each connection takes two descriptors.
    case tooFewDescriptors(needed: Int, limit: Int)
    case refused(String)
    case socket(ZMQError)
    case system(call: String, errno: Int32)

    package var description: String {
        switch self {
        case .notConnected(let ready, let all, let endpoint, let time):
            "only \(ready) of \(all) connections to \(endpoint) were ready within \(time) ms; is limits.connections large enough?"
        case .inUse(let surface, let key):
            "\(surface) shows the alert \"\(key)\" already; wait for its end, or choose other surfaces with --prefix"
        case .tooFewDescriptors(let needed, let limit):
            "so many connections need \(needed) open files and the limit is \(limit); raise it (ulimit -n), or use --processes"
        case .refused(let text): text
        case .socket(let error): "\(error)"
        case .system(let call, let number): "\(call) failed with errno \(number)"
        }
    }
}
