import AlertBusModel
import CLinux
import Glibc

/// Resident memory over simulated time, without what the allocator keeps for itself: that comes and goes with the threads of each start.
package struct MemorySamples: Sendable {
    private var samples: [(time: Milliseconds, bytes: Int)] = []

    mutating func add(at time: Milliseconds) {
        malloc_trim(0)
        samples.append((time, Self.resident()))
    }

    package var first: Int { samples.first?.bytes ?? 0 }
    package var middle: Int { samples.isEmpty ? 0 : samples[samples.count / 2].bytes }
    package var last: Int { samples.last?.bytes ?? 0 }

    /// Bytes for each simulated hour, by least squares over the last four fifths: before, caches and memories fill.
    package var slope: Double {
        let steady = samples.dropFirst(samples.count / 5)
        guard steady.count > 1 else { return 0 }
        let xs = steady.map { Double($0.time) / 3_600_000 }
        let ys = steady.map { Double($0.bytes) }
        let (mx, my) = (xs.reduce(0, +) / Double(xs.count), ys.reduce(0, +) / Double(ys.count))
        let spread = xs.reduce(0) { $0 + ($1 - mx) * ($1 - mx) }
        return spread == 0 ? 0 : zip(xs, ys).reduce(0) { $0 + ($1.0 - mx) * ($1.1 - my) } / spread
    }

    private static func resident() -> Int {
        guard let file = fopen("/proc/self/statm", "re") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return 0 }
        let fields = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * sysconf(CInt(_SC_PAGESIZE)) : 0
    }
}
