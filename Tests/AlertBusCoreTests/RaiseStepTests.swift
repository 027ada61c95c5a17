import AlertBusCore
import AlertBusModel
import Testing

/// The way of the most frequent command leads to the same as that of all of them.
struct RaiseStepTests {
    @Test func aRaiseOfItsOwnIsTheSameAsACommand() {
        var limits = Limits()
        limits.alerts = 6
        var direct = Arbiter(limits: limits)
        var general = Arbiter(limits: limits)
        var (first, second): ([Effect], [Effect]) = ([], [])
        var refused = 0
        var repeated = 0
        for number in 0..<200 {
            var content = AlertContent()
            content.priority = UInt8(1 + number % 4)
            content.intercept = number % 3 != 0
            content.activate = number % 7 != 0
            content.ttl = 40
            content.closesOnOwnerLoss = number % 5 == 0
            let raise = Raise(
                surface: number % 11 == 0 ? "yard" : "hall", key: "k\(number % 9)", content: content, update: number % 2 == 0)
            // A token comes back while its answer is remembered.
            let requester = Requester(
                session: UInt64(1 + number % 3), producer: "p\(number % 2)", once: number % 4 == 0 ? nil : "t\(number / 5)")
            let now = Milliseconds(1000 + number * 5)
            direct.step(raise, from: requester, at: now, into: &first)
            general.step(.command(.raise(raise), from: requester), at: now, into: &second)
            #expect(first == second)
            if case .reply(.refused)? = first.last { refused += 1 }
            if case .reply? = first.last, first.count == 1 { repeated += 1 }
            #expect(direct.nextDeadline == general.nextDeadline)
            #expect(direct.deadlineInPlace() == direct.nextDeadline)
            first.removeAll()
            second.removeAll()
        }
        #expect(direct.head(of: "hall")?.digest == general.head(of: "hall")?.digest)
        #expect(direct.alertCount == general.alertCount)
        #expect(refused > 10 && repeated > 10, "the raises are of all kinds: \(refused) refused, \(repeated) without an effect")
    }
}
