import AlertBusConfiguration

/// The one place that defines every key of a profile.
package enum ProfileTable {
    package static let load: [ConfigurationKey<SwarmProfile.Load>] = [
        .text("title", \.title, "a string", "What reports call it; default the name of the file.", write: { $0 }, read: { $0 }),
        .word(
            "shape", \.shape,
            "Messages are due at equal distances, or `burst` of them at one time and then none for as long as that takes."),
        .integer("burst", \.burst, 1...1_000_000, "messages", "How many are due at one time; for bursts."),
        .integer(
            "raise", \.raise, 0...10_000, "", "How often a turn of a producer raises a new alert, against `update` and `withdraw`."),
        .integer("update", \.update, 0...10_000, "", "How often it changes the oldest alert of its own; without one it raises."),
        .integer("withdraw", \.withdraw, 0...10_000, "", "How often it takes the oldest one back; without one it raises."),
        .integer(
            "alive", \.alive, 0...1_000_000, "alerts",
            "A producer that has so many withdraws the oldest instead of raising another one; 0 is off."),
    ]

    package static let alert: [ConfigurationKey<SwarmProfile.Kind>] = [
        .integer("weight", \.weight, 0...10_000, "", "How often this kind is raised, against the others."),
        .integer("priority", \.priority, 0...255, "", "As in `raise`."),
        .boolean("intercept", \.intercept, "As in `raise`: whether it may be intercepted when the screen is busy."),
        .boolean("activate", \.activate, "As in `raise`: whether it waits then."),
        .integer("ttl_ms", \.ttl, 1...3_600_000, "ms", "How long it lives if nothing else ends it. Every alert of a swarm ends."),
        .integer("display_ms", \.display, 0...3_600_000, "ms", "Its time on screen; 0 is off."),
        .integer("min_show_ms", \.minShow, 0...3_600_000, "ms", "Once shown, not covered before this; 0 leaves it to the policy."),
        .integer("bytes", \.bytes, 200...100_000, "bytes", "The size of the whole message, filled up in `params`."),
    ]

    package static let people: [ConfigurationKey<SwarmProfile.People>] = [
        .integer("answer", \.answer, 0...100, "%", "Of the alerts that are shown, how many a person at the screen answers."),
        .integer("dismiss", \.dismiss, 0...100, "%", "Of the others, how many a person dismisses."),
        .integer("think_ms", \.think, 0...600_000, "ms", "How long a person thinks: from half of it to one and a half, all alike."),
    ]

    package static let subscribers: [ConfigurationKey<SwarmProfile.Subscribers>] = [
        .word(
            "scope", \.scope, "Each subscriber follows its share of the surfaces, as a screen does, or all, as a wallboard does."),
        .integer("slow_percent", \.slow, 0...100, "%", "How many of the subscribers read slowly."),
        .integer("slow_per_second", \.slowRate, 1...1_000_000, "messages/s", "How much a slow one reads."),
    ]

    package static let churn: [ConfigurationKey<SwarmProfile.Churn>] = [
        .integer(
            "producer_ms", \.producer, 0...3_600_000, "ms",
            "After so long on the average a producer's connection is closed and made again; 0 is never."),
        .integer("subscriber_ms", \.subscriber, 0...3_600_000, "ms", "The same for a subscriber."),
    ]

    /// A section of the file, with the names of its keys.
    package static let sections: [(header: String, keys: [String])] = [
        ("[load]", load.map(\.name)), ("[[alert]]", alert.map(\.name)), ("[people]", people.map(\.name)),
        ("[subscribers]", subscribers.map(\.name)), ("[churn]", churn.map(\.name)),
        ("[policy]", ConfigurationTable.policy.map(\.name)),
    ]
}
