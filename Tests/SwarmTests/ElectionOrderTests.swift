import AlertBusModel
import AlertBusSwarm
import Testing

@Suite("The order of elections")
struct ElectionOrderTests {
    private typealias Candidate = ElectionOrder.Candidate

    private func order(_ change: (inout Policy) -> Void = { _ in }) -> ElectionOrder {
        var policy = Policy()
        change(&policy)
        return ElectionOrder(policy)
    }

    @Test("is right by priority, then by arrival")
    func right() {
        var order = order()
        for alert in [
            Candidate(instance: 4, priority: 3), .init(instance: 2, priority: 2), .init(instance: 5, priority: 2),
            .init(instance: 1, priority: 1),
        ] {
            #expect(order.elected(alert) == nil)
        }
    }

    @Test("is wrong when an equal one that came later was first")
    func arrival() {
        var order = order()
        #expect(order.elected(.init(instance: 7, priority: 2)) == nil)
        #expect(order.elected(.init(instance: 6, priority: 2)) == 7)
    }

    @Test("is wrong when a lower one that came later was first")
    func priority() {
        var order = order()
        #expect(order.elected(.init(instance: 7, priority: 1)) == nil)
        #expect(order.elected(.init(instance: 6, priority: 3)) == 7)
    }

    @Test("cannot be told of one that came after the election before it")
    func undecidable() {
        var order = order()
        #expect(order.elected(.init(instance: 6, priority: 1)) == nil)
        #expect(order.elected(.init(instance: 7, priority: 3)) == nil)
    }

    @Test("by arrival does not look at priorities")
    func byArrival() {
        var order = order { $0.order = .arrival }
        #expect(order.elected(.init(instance: 1, priority: 1)) == nil)
        #expect(order.elected(.init(instance: 3, priority: 3)) == nil)
        #expect(order.elected(.init(instance: 2, priority: 1)) == 3)
    }

    @Test("is wrong when somebody was shown at once while another one waited")
    func atOnce() {
        var order = order()
        order.shownAtOnce(.init(instance: 9, priority: 3))
        #expect(order.elected(.init(instance: 8, priority: 1)) == 9)
        var preempting = self.order { $0.preempt = .higher }
        preempting.shownAtOnce(.init(instance: 9, priority: 3))
        #expect(preempting.elected(.init(instance: 8, priority: 1)) == nil)
    }

    @Test("holds for one that was covered, from then on")
    func resumed() {
        var order = order { $0.covered = .hide }
        #expect(order.elected(.init(instance: 8, priority: 1)) == nil)
        let covered = order.count
        #expect(order.resumed(.init(instance: 2, priority: 2), since: covered) == nil)
        #expect(order.elected(.init(instance: 9, priority: 1)) == nil)
        #expect(order.resumed(.init(instance: 3, priority: 2), since: covered) == 9)
    }

    @Test("is not judged where urgent alerts wait outside of it")
    func minShow() {
        var order = order { $0.minShow = 100 }
        #expect(order.elected(.init(instance: 7, priority: 1)) == nil)
        #expect(order.elected(.init(instance: 6, priority: 3)) == nil)
    }
}
