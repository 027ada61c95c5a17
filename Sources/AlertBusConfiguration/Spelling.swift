/// Finds the name that a person probably meant.
package enum Spelling {
    /// The nearest candidate, or nil when none is near. Of equally near ones the first.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let plain = folded(word)
        var best: String?
        // One slip in three letters is still recognisable; more is a guess.
        var bound = max(1, plain.count / 3) + 1
        for candidate in candidates {
            let distance = distance(plain, folded(candidate))
            if distance < bound {
                best = candidate
                bound = distance
            }
        }
        return best
    }

    /// `max-batch`, `maxBatch` and `max_batch` are the same but for the fashion.
    private static func folded(_ word: String) -> [UInt8] {
        word.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }.prefix(64).map { $0 }
    }

    /// Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
        var beforePrevious: [Int] = []
        var previous = Array(0...b.count)
        for i in 1...a.count {
            var current = [i]
            for j in 1...b.count {
                let substitution = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
                var cost = min(previous[j] + 1, current[j - 1] + 1, substitution)
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    cost = min(cost, beforePrevious[j - 2] + 1)
                }
                current.append(cost)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[b.count]
    }
}
