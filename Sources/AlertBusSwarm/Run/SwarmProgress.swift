import AlertBusMeasure

/// Where a running swarm is, told once a second.
package struct SwarmProgress: Sendable {
    package enum Phase: String, Sendable { case connecting, loading, draining }

    package var phase = Phase.connecting
    /// From 0 to 1, of the phase.
    package var done = 0.0
    /// Of the last second.
    package var second = SwarmReport.Second(second: 0)
    /// Connections that are ready, and alerts that live.
    package var ready = 0
    package var connections = 0
    package var living = 0
    package var findings: UInt64 = 0

    package init() {}
}

/// What a swarm asks of whoever runs it.
package struct SwarmHooks {
    package var progress: (SwarmProgress) -> Void = { _ in }
    /// How many interruptions there were: after the first the load ends early, after the second nothing is waited for.
    package var interruptions: () -> Int = { 0 }
    /// Called when everything is connected; returns when the load begins, in milliseconds since 1970, or nil for now.
    package var begin: () -> Int64? = { nil }

    package init() {}
}
