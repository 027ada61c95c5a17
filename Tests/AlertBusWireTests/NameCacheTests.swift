import AlertBusModel
import AlertBusWire
import Testing

/// Names that come again are remembered, however alike they are.
@Suite struct NameCacheTests {
    @Test(
        "Nearly all of many names that differ in little are found again",
        arguments: [
            "load/%/%", "hall/screen-%%", "%%", "a-long-path/of-several/segments/that-differ-at-the-end/%%", "%%/the-same-end",
        ])
    func alike(pattern: String) throws {
        let names = (0..<8).flatMap { first in (0..<8).map { second in Self.fill(pattern, first, second) } }
        let cache = NameCache()
        var made = 0
        for round in 0..<2 {
            made = 0
            for name in names {
                // The padding that the cache may read.
                let bytes = Array(name.utf8) + [UInt8](repeating: 0, count: 16)
                let found = try bytes.withUnsafeBufferPointer { buffer in
                    try cache.name(buffer.baseAddress!, name.utf8.count) { () throws(WireFault) in
                        made += 1
                        return name
                    }
                }
                #expect(found == name)
            }
            if round == 0 { #expect(made == names.count) }
        }
        #expect(made <= names.count / 10, "\(made) of \(names.count) were made again")
    }

    private static func fill(_ pattern: String, _ first: Int, _ second: Int) -> String {
        var digits = [first, second]
        return String(pattern.flatMap { $0 == "%" ? Array("\(digits.removeFirst())") : [$0] })
    }
}
