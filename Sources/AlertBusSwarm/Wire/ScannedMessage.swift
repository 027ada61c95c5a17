import AlertBusModel
import Glibc

/// A place in the bytes of a message.
package struct ByteRange {
    package var start = 0
    package var count = 0

    package init(start: Int = 0, count: Int = 0) {
        self.start = start
        self.count = count
    }
}

/// What a swarm needs of a message. The ranges lie in the bytes that were scanned.
package struct ScannedMessage {
    package enum Op: Equatable { case accepted, refused, done, event, show, update, hide, other }

    /// No number that this swarm wrote.
    package static let none = UInt64.max

    package var opWord = ByteRange()
    package var ref = ScannedMessage.none
    package var surface = ByteRange()
    package var key = ByteRange()
    package var instance: UInt64 = 0
    package var revision: UInt64 = 0
    package var priority: UInt64 = 0
    package var epoch: UInt64 = 0
    package var seq: UInt64 = 0
    package var reason = ByteRange()
    package var event = ByteRange()
    package var state = ByteRange()
    /// When the producer should have sent it, and when it did; of `params`.
    package var intended = ScannedMessage.none
    package var sent = ScannedMessage.none
    /// Of the answer.
    package var token = ScannedMessage.none

    package init() {}

    package func op(_ bytes: UnsafePointer<UInt8>) -> Op {
        switch opWord.count {
        case 8 where opWord.says("accepted", bytes): .accepted
        case 7 where opWord.says("refused", bytes): .refused
        case 4 where opWord.says("done", bytes): .done
        case 4 where opWord.says("show", bytes): .show
        case 4 where opWord.says("hide", bytes): .hide
        case 5 where opWord.says("event", bytes): .event
        case 6 where opWord.says("update", bytes): .update
        default: .other
        }
    }
}

extension ByteRange {
    func says(_ word: StaticString, _ bytes: UnsafePointer<UInt8>) -> Bool {
        count == word.utf8CodeUnitCount && memcmp(bytes + start, word.utf8Start, count) == 0
    }

    package func text(_ bytes: UnsafePointer<UInt8>) -> String {
        String(decoding: UnsafeBufferPointer(start: bytes + start, count: count), as: UTF8.self)
    }
}

/// Finds a reason by its word.
struct ReasonWords {
    /// Places by a number made of a word's length and ends; a word that finds its place taken goes to the next one.
    private var places = [Int8](repeating: -1, count: 256)
    private let words: [[UInt8]]
    private let reasons = Reason.allCases

    init() {
        words = reasons.map { Array($0.rawValue.utf8) }
        for (index, word) in words.enumerated() {
            var place = word.withUnsafeBufferPointer { Self.place($0.baseAddress!, word.count) }
            while places[place] >= 0 { place = (place + 1) & 255 }
            places[place] = Int8(index)
        }
    }

    func find(_ range: ByteRange, _ bytes: UnsafePointer<UInt8>) -> Reason? {
        guard range.count > 0 else { return nil }
        let word = bytes + range.start
        var place = Self.place(word, range.count)
        while places[place] >= 0 {
            let index = Int(places[place])
            if words[index].count == range.count, memcmp(words[index], word, range.count) == 0 { return reasons[index] }
            place = (place + 1) & 255
        }
        return nil
    }

    private static func place(_ word: UnsafePointer<UInt8>, _ count: Int) -> Int {
        (count &* 67 &+ Int(word[0]) &* 31 &+ Int(word[count - 1]) &* 7) & 255
    }
}
