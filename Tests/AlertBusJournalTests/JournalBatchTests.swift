import AlertBusJournal
import Testing

struct JournalBatchTests {
    @Test func entriesComeBackWithTheirPositions() {
        var batch = JournalBatch(first: 7, time: 5)
        batch.append([1, 2, 3])
        batch.append([])
        batch.append { $0.append(9) }
        #expect(batch.count == 3)
        #expect(batch.end == 10)
        #expect(batch.bytes == [3, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 1, 0, 0, 0, 9])
        #expect(batch.entries.map(\.position) == [7, 8, 9])
        #expect(batch.entries.map { Array($0.bytes) } == [[1, 2, 3], [], [9]])
    }

    @Test func anEntryOfAKnownSizeIsLikeAnyOther() {
        var plain = JournalBatch(first: 3)
        var sized = JournalBatch(first: 3)
        for size in [0, 1, 300, 70_000, 2] {
            let entry = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            plain.append(entry)
            sized.append(size: size) { $0.copyBytes(from: entry) }
        }
        #expect(sized == plain)
    }

    @Test(
        arguments: [
            (1, [1, 0, 0, 0]), (2, [1, 0, 0, 0, 9]), (0, [0]), (1, [0, 0, 0]), (1, [255, 255, 255, 255, 1]), (0, [0, 0, 0, 0]),
        ] as [(UInt64, [UInt8])])
    func bytesThatDoNotAddUpAreRefused(count: UInt64, bytes: [UInt8]) {
        #expect(JournalBatch(first: 0, count: count, time: 0, bytes: bytes) == nil)
    }

    @Test(
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
            ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
        ] as [(String, UInt64)])
    func checkValuesAreThePublishedOnes(text: String, value: UInt64) {
        #expect(Array(text.utf8).withUnsafeBytes { XXH64.hash($0) } == value)
    }
}
