import AlertBusModel

/// What an operator said last about a scope; it counts before the policy.
struct HoldOverride: Equatable, Sendable {
    var scope: SurfaceScope
    var isHeld: Bool
}

extension Arbiter {
    private static let maxHolds = 1000

    func isHeld(_ path: String, _ policy: Policy) -> Bool {
        for override in holds.reversed() where override.scope.contains(path) { return override.isHeld }
        return policy.hold
    }

    mutating func holdChanged(
        _ scope: SurfaceScope, isHeld: Bool, _ effects: inout [Effect]
    ) throws(Refusal) -> Done {
        // The newest one that covers a surface counts, so what lies inside this scope is forgotten.
        holds.removeAll { scope.contains($0.scope) }
        if holds.count >= Self.maxHolds {
            throw Refusal(.overLimit, "\(Self.maxHolds) scopes are held or released. Use a wider scope, such as \"/\".")
        }
        holds.append(HoldOverride(scope: scope, isHeld: isHeld))
        var count = 0
        for id in surfaces(in: scope) {
            count += 1
            setHeld(id, isHeld, &effects)
        }
        return Done(count: count)
    }

    mutating func setHeld(_ id: Int32, _ isHeld: Bool, _ effects: inout [Effect]) {
        guard surfaces[id].isHeld != isHeld else { return }
        surfaces[id].isHeld = isHeld
        settle(id, &effects)
    }
}
