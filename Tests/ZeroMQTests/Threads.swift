import Glibc
import Synchronization

/// Up until it is lowered.
final class Flag: Sendable {
    private let up = Atomic<Bool>(true)
    var isUp: Bool { up.load(ordering: .acquiring) }
    func lower() { up.store(false, ordering: .releasing) }
}
