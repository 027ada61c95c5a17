import AlertBusConfiguration
import AlertBusCore
import AlertBusModel

/// What a start finds: the state that the journal holds, and the time after its newest input.
struct Recovery {
    var arbiter: Arbiter
    var clock: ServiceClock
    var journal: Never?

    static func open(_ configuration: Configuration) throws(ServiceError) -> Recovery {
        let arbiter = Arbiter(policies: configuration.policies, limits: configuration.limits, epoch: 1)
        return Recovery(arbiter: arbiter, clock: ServiceClock(), journal: nil)
    }
}

