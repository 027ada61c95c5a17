import Glibc

/// Milliseconds that something took.
func milliseconds(since start: ContinuousClock.Instant) -> Int {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
}

/// What a case of the report has measured, beside that it passed.
func report(_ line: String) { print("healing: \(line)") }
