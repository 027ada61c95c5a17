import AlertBusModel

/// The one place that defines every key of the configuration file.
///
/// The decoder, the sample file and the reference page all follow from it.
package enum ConfigurationTable {
    static let sections: [ConfigurationSection] = [
        ConfigurationSection(
            name: "arbiter", meaning: "What the service listens on and where it keeps its state.",
            content: .table(arbiter.map { $0.within(\.arbiter) })),
        ConfigurationSection(
            name: "limits",
            meaning: "A limit on everything that a peer can make grow. At each one: a refusal `over_limit`.",
            content: .table(peerLimits.map { $0.within(\.peerLimits) } + limits.map { $0.within(\.limits) })),
        ConfigurationSection(
            name: "liveness", meaning: "When a silent peer counts as gone.",
            content: .table(liveness)),
        ConfigurationSection(
            name: "journal", meaning: "How often the state is saved, and how much history stays.",
            content: .table(journal.map { $0.within(\.journal) })),
        ConfigurationSection(
            name: "feed",
            meaning: "When a beat repeats where a surface stands, for observers that may have lost a message.",
            content: .table(feed.map { $0.within(\.feed) })),
        ConfigurationSection(
            name: "security", meaning: "Who may connect, and who may do what.",
            content: .table(security.map { $0.within(\.security) })),
        ConfigurationSection(
            name: "default_policy",
            meaning: "The rules of surfaces that no `[[policy]]` matches. A `[[policy]]` does not inherit from it.",
            content: .table(policy.map { $0.within(\.policies.fallback) })),
        ConfigurationSection(
            name: "policy",
            meaning:
                "The rules of some surfaces. The first that matches decides: write the special before the general.",
            content: .entries([surfaces] + policy.map { $0.within(\.policy) })),
    ]

    /// A day in milliseconds would be a mistake in every key that has this range.
    static let upToAnHour: ClosedRange<Int64> = 0...3_600_000
    static let bytes: ClosedRange<Int64> = 1024...(1 << 40)

    private static let arbiter: [ConfigurationKey<ArbiterSettings>] = [
        .text(
            "requests", \.requests, TextForms.endpointExpectation,
            "Where producers, subscribers, providers and operators connect.",
            write: \.text, read: TextForms.endpoint),
        .text(
            "feed", \.feed, TextForms.endpointExpectation + #", or "none""#,
            #"Where observers connect; "none" switches the feed off."#,
            write: { $0?.text ?? "none" }, read: TextForms.optionalEndpoint),
        .text(
            "journal", \.journal, #""" for the state directory, "memory", or the path of a file"#,
            #"What makes accepted commands survive: "" is a file in the state directory; "memory" forgets."#,
            write: TextForms.text, read: TextForms.journal),
        .integer("io_threads", \.ioThreads, 1...16, "threads", "Threads that libzmq uses for input and output."),
        .text(
            "ipc_mode", \.ipcMode, #"permission bits like "0600" or "0660""#,
            "Who on this machine may connect to ipc sockets: the permission bits of the socket file, in octal.",
            write: TextForms.text(mode:), read: TextForms.mode),
    ]

    private static let peerLimits: [ConfigurationKey<PeerLimits>] = [
        .integer("message_bytes", \.messageBytes, 1024...(64 << 20), "bytes", "One message."),
        .integer(
            "frames", \.frames, 1...64, "frames",
            "Every message has one frame. More are refused, and a peer that sends more than this many at once is cut off."),
        .integer("connections", \.connections, 1...1_000_000, "connections", "Peers connected at the same time."),
        .integer(
            "rate_per_second", \.ratePerSecond, 0...10_000_000, "commands/s",
            "Commands of one connection; 0 is off."),
        .integer(
            "burst", \.burst, 1...10_000_000, "commands",
            "Commands that one connection may send at once before `rate_per_second` holds it back."),
        .integer(
            "subscriptions_per_session", \.subscriptionsPerSession, 1...1_000_000, "subscriptions",
            "Subscriptions of one connection."),
        .integer(
            "provided_names_per_session", \.providedNamesPerSession, 1...1_000_000, "names",
            "Names that one connection may provide."),
        .integer(
            "subscriber_backlog_bytes", \.subscriberBacklogBytes, bytes, "bytes",
            "What waits for one subscriber; past it the backlog is dropped and the newest snapshot sent instead."),
        .integer(
            "producer_backlog_bytes", \.producerBacklogBytes, bytes, "bytes",
            "Replies and events that wait for one producer; past it the events are dropped and `status` tells the rest."
        ),
        .integer(
            "snapshot_requests_per_second", \.snapshotRequestsPerSecond, 0...1_000_000, "requests/s",
            "Snapshots that one connection may ask for; 0 is off."),
    ]

    private static let limits: [ConfigurationKey<Limits>] = [
        .integer(
            "surfaces", \.surfaces, 1...10_000_000, "surfaces",
            "Surfaces that exist; they are not forgotten while the arbiter runs."),
        .integer(
            "alerts_per_producer", \.alertsPerProducer, 1...100_000_000, "alerts",
            "Alerts of one producer, on all surfaces together."),
        .integer(
            "alerts", \.alerts, 1...100_000_000, "alerts",
            "Alerts in all; the last sixteenth is kept for the highest priority of each surface."),
        .integer(
            "bytes", \.bytes, bytes, "bytes",
            "Parameters, sources and data of all alerts together; the last sixteenth is kept for raises of the highest priority."),
        .integer("sources", \.sources, 0...1000, "sources", "Sources that one alert may name."),
        .integer("rows", \.rows, 1...1_000_000, "rows", "Rows that one source may bring."),
        .integer(
            "memory", \.memory, 0...100_000_000, "entries",
            "Remembered `once` tokens, and outcomes of ended alerts that `status` can still tell."),
    ]

    private static let liveness: [ConfigurationKey<Configuration>] = [
        .integer(
            "owner_timeout_ms", \.liveness.ownerTimeout, 100...3_600_000, "ms",
            "A connection that sent nothing for so long is dead. Clients ping every second."),
        .integer(
            "owner_grace_ms", \.limits.ownerGrace, upToAnHour, "ms",
            "After a restart of the arbiter, alerts with `on_owner_loss: close` wait so long for their producer."),
    ]

    private static let journal: [ConfigurationKey<JournalSettings>] = [
        .integer(
            "snapshot_every", \.snapshotEvery, 1...1_000_000_000, "commands",
            "Inputs between two snapshots, or as many as there are alerts if that is more; about so many are replayed after a kill."
        ),
        .integer(
            "keep_snapshots", \.keepSnapshots, 1...1000, "snapshots",
            "Newest snapshots that are never deleted; nor is what follows the oldest of them. With 2 or more a start does without a "
                + "newest one that is damaged."),
        .integer(
            "max_bytes", \.maxBytes, 0...(1 << 50), "bytes",
            "The file stays below this, as far as the snapshots that are never deleted allow: older history goes, a snapshot and "
                + "what follows it at a time. A snapshot is also taken after a quarter of it; 0 is off."
        ),
        .integer(
            "max_age_days", \.maxAgeDays, 0...36_500, "days",
            "History that is older is deleted when the next snapshot is taken; 0 is off."),
    ]

    private static let feed: [ConfigurationKey<FeedSettings>] = [
        .integer(
            "beat_after_ms", \.beatAfter, 10...3_600_000, "ms", "A beat follows a change of a surface within this."),
        .integer("beat_cycle_ms", \.beatCycle, 10...3_600_000, "ms", "Quiet surfaces beat once in this time."),
    ]

    private static let security: [ConfigurationKey<SecuritySettings>] = [
        .text(
            "curve_key_file", \.curveKeyFile, #"the path of a file, or """#,
            #"The arbiter's CURVE key, made by `alertbus keygen`, mode 0600; "" switches encryption off."#,
            write: { $0 }, read: TextForms.path),
        .text(
            "permissions_file", \.permissionsFile, #"the path of a file, or """#,
            #"Which key may do what; needs `curve_key_file`. "" lets everyone who can connect do everything."#,
            write: { $0 }, read: TextForms.path),
        .boolean(
            "insecure", \.insecure,
            "Listen on an address that other machines can reach although there is no `curve_key_file`."),
    ]

    private static let surfaces: ConfigurationKey<PolicyEntry> = {
        var key = ConfigurationKey<PolicyEntry>.text(
            "surfaces", \.surfaces, #"a pattern like "lobby/*/modal", "lobby/kiosk-*/**" or "**""#,
            "`*` is any run of characters within one segment; `**` at the end is one or more segments.",
            write: { $0 }, read: PatternRules.checked)
        key.isRequired = true
        return key
    }()

    package static let policy: [ConfigurationKey<Policy>] = [
        .word("order", \.order, "Who is next among those that wait; ties always go by arrival."),
        .word(
            "covered", \.covered,
            "A covered alert stays displayed underneath, or leaves the screen and may come back."),
        .word(
            "preempt", \.preempt,
            "Whether a strictly higher priority covers what is shown although it may be intercepted."),
        .integer(
            "activation_delay_ms", \.activationDelay, upToAnHour, "ms",
            "The gap between the last alert's end and the next one's show."),
        .integer(
            "slots", \.slots, 1...64, "alerts", "Alerts shown side by side before a newcomer finds the surface busy."),
        .integer(
            "capacity", \.capacity, 1...10_000_000, "alerts", "Alerts that may wait, loading and covered ones included."
        ),
        .word(
            "overflow", \.overflow, "At the `capacity`: refuse the newcomer, or evict the lowest one waiting."),
        .integer(
            "max_batch", \.maxBatch, 0...10_000_000, "dismissals",
            "After so many dismissals the waiting alerts end with `batch_limit`; 0 is off."),
        .integer(
            "min_show_ms", \.minShow, upToAnHour, "ms", "Once shown, an alert is not covered or replaced before this."),
        .toggle(
            "hold", \.hold,
            "Do not disturb from the start: nothing is activated except alerts with a granted `breakthrough`."),
        .integer(
            "max_priority", \.maxPriority, 1...255, "", "The highest priority; one outside 1 to this counts as 1."),
    ]
}
