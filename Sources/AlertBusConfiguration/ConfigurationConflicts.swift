/// Values that are possible by themselves but not together.
struct ConfigurationConflict: Equatable {
    /// The value to change.
    var key: String
    /// The value that it collides with.
    var other: String
    var expected: String
    var found: String

    static func all(in configuration: Configuration) -> [ConfigurationConflict] {
        exposed(configuration) + sharedEndpoint(configuration) + backlogs(configuration) + other(configuration)
    }

    private static func exposed(_ configuration: Configuration) -> [ConfigurationConflict] {
        let security = configuration.security
        if security.insecure || !security.curveKeyFile.isEmpty { return [] }
        return [("requests", configuration.arbiter.requests), ("feed", configuration.arbiter.feed)]
            .compactMap { name, endpoint in
                guard let endpoint, !endpoint.isLocal else { return nil }
                return ConfigurationConflict(
                    key: "arbiter.\(name)", other: "security.insecure",
                    expected: "a loopback address, or security.curve_key_file, or security.insecure = true",
                    found: JSONLine.quoted(endpoint.text))
            }
    }

    private static func sharedEndpoint(_ configuration: Configuration) -> [ConfigurationConflict] {
        let requests = configuration.arbiter.requests
        guard let feed = configuration.arbiter.feed, feed == requests else { return [] }
        // The system chooses another port or path each time.
        switch feed.transport {
        case .tcp(_, port: 0), .ipc(path: "*"): return []
        case .tcp, .ipc: break
        }
        return [
            ConfigurationConflict(
                key: "arbiter.feed", other: "arbiter.requests", expected: "another endpoint than arbiter.requests",
                found: JSONLine.quoted(feed.text))
        ]
    }

    /// A backlog that cannot hold one message would never deliver it.
    private static func backlogs(_ configuration: Configuration) -> [ConfigurationConflict] {
        let limits = configuration.peerLimits
        return [
            ("subscriber_backlog_bytes", limits.subscriberBacklogBytes),
            ("producer_backlog_bytes", limits.producerBacklogBytes),
        ]
        .filter { $0.1 < limits.messageBytes }
        .map { name, bytes in
            ConfigurationConflict(
                key: "limits.\(name)", other: "limits.message_bytes",
                expected: "at least limits.message_bytes, which is \(Literal.grouped(Int64(limits.messageBytes)))",
                found: Literal.grouped(Int64(bytes)))
        }
    }

    private static func other(_ configuration: Configuration) -> [ConfigurationConflict] {
        var conflicts: [ConfigurationConflict] = []
        let feed = configuration.feed
        if feed.beatAfter > feed.beatCycle {
            conflicts.append(
                ConfigurationConflict(
                    key: "feed.beat_after_ms", other: "feed.beat_cycle_ms",
                    expected: "at most feed.beat_cycle_ms, which is \(Literal.grouped(feed.beatCycle))",
                    found: Literal.grouped(feed.beatAfter)))
        }
        let security = configuration.security
        if !security.permissionsFile.isEmpty && security.curveKeyFile.isEmpty {
            conflicts.append(
                ConfigurationConflict(
                    key: "security.permissions_file", other: "security.curve_key_file",
                    expected: "security.curve_key_file beside it, since without keys nobody can be told apart",
                    found: "none"))
        }
        return conflicts
    }
}
