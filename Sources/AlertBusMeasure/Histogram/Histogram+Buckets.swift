extension Histogram {
    /// Which values share a bucket: each alone below 2,048, then 1,024 buckets to each doubling.
    enum Buckets {
        /// One hour in microseconds.
        static let highest: UInt64 = 3_600_000_000
        static let perDoubling: UInt64 = 1024
        static let count = index(of: highest) + 1

        static func index(of value: UInt64) -> Int {
            guard value >= 2 * perDoubling else { return Int(value) }
            let shift = shift(of: value)
            return Int(shift * perDoubling + (value >> shift))
        }

        static func lowestValue(of index: Int) -> UInt64 {
            let index = UInt64(index)
            guard index >= 2 * perDoubling else { return index }
            let shift = index / perDoubling - 1
            return (index - shift * perDoubling) << shift
        }

        static func highestValue(of index: Int) -> UInt64 { lowestValue(of: index + 1) - 1 }

        static func middle(of index: Int) -> Double { Double(lowestValue(of: index) + highestValue(of: index)) / 2 }

        /// By how many binary digits a value is too long for 11 of them.
        private static func shift(of value: UInt64) -> UInt64 { UInt64(53 - value.leadingZeroBitCount) }
    }
}
