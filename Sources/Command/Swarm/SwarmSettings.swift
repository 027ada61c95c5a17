import AlertBus
import AlertBusConfiguration
import AlertBusModel
import AlertBusSwarm
import ZeroMQ

/// What the command line says about a swarm.
struct SwarmSettings {
    var options = SwarmOptions()
    var processes = 1
    /// Of the arbiter to start; nil when one runs already.
    var journal: String?
    var isEncrypted = false

    init(_ arguments: Arguments) throws(CommandFailure) {
        if let path = arguments.text("mix") {
            do throws(ConfigurationFaults) { options.profile = try SwarmProfile.load(path: path) } catch {
                throw .refused("the profile is faulty\n\(error)")
            }
        }
        options.producers = try arguments.integer("producers", 1...100_000) ?? options.producers
        options.subscribers = try arguments.integer("subscribers", 0...100_000) ?? options.subscribers
        options.surfaces = try arguments.integer("surfaces", 1...100_000) ?? options.surfaces
        options.rate = try Self.rate(arguments) ?? options.rate
        options.duration = try arguments.duration("duration", 100...86_400_000) ?? options.duration
        options.window = try arguments.integer("window", 1...10_000) ?? options.window
        options.drain = try arguments.duration("drain", 100...86_400_000)
        options.seed = try arguments.integer("seed", 0...UInt64(UInt32.max)) ?? options.seed
        options.connectTimeout = try arguments.duration("timeout") ?? options.connectTimeout
        if let prefix = arguments.text("prefix") { options.prefix = try Self.prefix(prefix) }
        if let text = arguments.text("at") {
            guard let time = Timestamp.milliseconds(text) else {
                throw .usage("--at takes a time such as 2026-07-06T08:30:00Z, got \(Quoting.quoted(text))")
            }
            options.startAt = time
        }
        processes = try arguments.integer("processes", 1...256) ?? 1
        journal = arguments.text("start")
        isEncrypted = arguments.has("curve")
        if isEncrypted && journal == nil {
            throw .usage("--curve is for an arbiter that --start starts; give --key and --server-key for another one")
        }
        if journal == nil { options.requests = try BusAddress.endpoint(arguments) }
        if let security = try ClientKeys.security(arguments) {
            if journal != nil {
                throw .usage("--start makes its own keys with --curve; --key and --server-key are for an arbiter that runs already")
            }
            options.keys = (security.keys, security.serverKey)
        }
        try check()
    }

    private static func rate(_ arguments: Arguments) throws(CommandFailure) -> SwarmOptions.Rate? {
        guard let text = arguments.text("rate") else { return nil }
        if text == "max" { return .max }
        guard let rate = try arguments.integer("rate", 1...10_000_000) as Int? else { return nil }
        return .perSecond(Double(rate))
    }

    private static func prefix(_ text: String) throws(CommandFailure) -> String {
        do throws(NameFault) { try Name.checkPath(text) } catch { throw .usage("--prefix \(Quoting.quoted(text)) \(error)") }
        if text.utf8.count > 100 { throw .usage("--prefix takes at most 100 bytes") }
        if text.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 >= 0x7F }) {
            throw .usage("--prefix takes letters, digits and other plain characters without quotes and backslashes")
        }
        return text
    }

    private func check() throws(CommandFailure) {
        if processes > options.surfaces || processes > options.producers {
            throw .usage("--processes \(processes) is more than the surfaces or the producers: each process needs some of its own")
        }
        let own = options.subscribers / processes
        if options.profile.subscribers.scope == .share, own > 0, options.surfaces / processes / own > 200 {
            throw .usage(
                "each subscriber would follow more than 200 surfaces; use more --subscribers, or scope = \"all\" in the profile")
        }
        if options.subscribers > 0 && own == 0 {
            throw .usage(
                "--processes \(processes) is more than the subscribers: each process needs some of its own, or none at all")
        }
    }
}
