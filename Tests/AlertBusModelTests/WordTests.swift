import AlertBusModel
import Testing

/// Words on the wire, and the fingerprint of a screen.
@Suite struct WordTests {
    @Test func `the list of reasons is the one of the design`() {
        let words = """
            raised updated dequeued resumed covered displaced dismissed answered withdrawn superseded expired timed_out cleared \
            batch_limit evicted intercepted duplicate stale already_ended unknown_alert load_failed owner_lost over_limit \
            not_allowed malformed unsupported held released not_leader
            """
        #expect(Reason.allCases.map(\.rawValue) == words.split(separator: " ").map(String.init))
        #expect(Set(Reason.allCases.map(\.explanation)).count == Reason.allCases.count, "each has a sentence of its own")
    }

    @Test func `states and rungs have the words of the protocol`() {
        #expect(PresentationState.allCases.map(\.rawValue) == ["loading", "deferred", "shown", "covered", "ended"])
        #expect(
            Receipt.Event.allCases.map(\.rawValue) == ["loading", "deferred", "shown", "covered", "resumed", "ended"])
        #expect(Overflow.allCases.map(\.rawValue) == ["refuse", "evict_lowest"])
    }

    @Test func `a digest is FNV-1a over instances and revisions from the bottom to the top`() {
        #expect(ScreenDigest().text == "cbf29ce484222325")
        func digest(_ alerts: [(UInt64, UInt32)]) -> String {
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in alerts.map({ "\($0.0):\($0.1);" }).joined().utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            return ScreenDigestText.hexadecimal(hash)
        }
        for alerts: [(UInt64, UInt32)] in [[(1, 1)], [(1, 1), (2, 7)], [(2, 7), (1, 1)], [(12, 1)], [(1, 21)]] {
            let shown = alerts.map { ShownAlert(key: "k", instance: $0.0, revision: $0.1, priority: 1) }
            #expect(ScreenDigest(of: shown).text == digest(alerts))
        }
    }

    @Test func `a digest has sixteen digits even when it begins with zeros`() {
        let texts = (0..<2000).map { number in
            var digest = ScreenDigest()
            digest.add(instance: UInt64(number), revision: 1)
            return digest.text
        }
        #expect(texts.allSatisfy { $0.count == 16 })
        #expect(texts.contains { $0.hasPrefix("0") })
        #expect(Set(texts).count == texts.count)
    }
}

private enum ScreenDigestText {
    static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
