import AlertBusService
import Testing

@Suite("When beats come")
struct BeatScheduleTests {
    /// Runs the schedule with wake-ups that are late by up to 50 ms, and tells for each surface when its beats came.
    private func run(
        _ schedule: inout BeatSchedule, surfaces: Int, from start: Int64 = 0, for duration: Int64,
        hears: (Int64, [Int]) -> Void
    ) {
        var late: Int64 = 0
        while schedule.nextDue < start + duration {
            late = (late + 17) % 50
            let now = max(start, schedule.nextDue) + late
            hears(now, schedule.take(at: now))
        }
    }

    @Test(
        "Every surface within 30 s, for any number of them, and evenly", arguments: [1, 2, 7, 150, 299, 301, 1000, 12_345, 100_000])
    func cycle(count: Int) {
        var schedule = BeatSchedule()
        for number in 1...count { schedule.surfaceAdded(count: number, at: 0) }
        var last = [Int64](repeating: 0, count: count)
        var longest: Int64 = 0
        var most = 0
        run(&schedule, surfaces: count, for: 100_000) { now, due in
            most = max(most, due.count)
            for surface in due {
                longest = max(longest, now - last[surface])
                last[surface] = now
            }
        }
        for time in last { longest = max(longest, 100_000 - time) }
        #expect(longest <= 30_000)
        // A lap is 15 s: in 100 ms, and what a late wake-up adds, comes a hundred-and-fiftieth part.
        #expect(most <= count / 100 + 2)
    }

    @Test("A surface that comes later is not later than 30 s either")
    func newcomers() {
        var schedule = BeatSchedule()
        var count = 0
        var waiting: [Int: Int64] = [:]
        var longest: Int64 = 0
        for second in 0..<60 {
            let now = Int64(second) * 1000
            for _ in 0..<(second % 7) {
                schedule.surfaceAdded(count: count + 1, at: now)
                waiting[count] = now
                count += 1
            }
            run(&schedule, surfaces: count, from: now, for: 1000) { now, due in
                for surface in due { if let since = waiting.removeValue(forKey: surface) { longest = max(longest, now - since) } }
            }
        }
        #expect(longest > 0 && longest <= 30_000)
        #expect(waiting.values.allSatisfy { 60_000 - $0 <= 30_000 })
    }

    @Test("A change within 1 s, also when very many change at once", arguments: [1, 50, 100_000])
    func changes(count: Int) {
        var schedule = BeatSchedule()
        for number in 1...count { schedule.surfaceAdded(count: number, at: 0) }
        for surface in 0..<count { schedule.surfaceChanged(surface, at: Int64(5000 + surface % 100)) }
        var heard: [Int: Int64] = [:]
        run(&schedule, surfaces: count, from: 5000, for: 2000) { now, due in
            for surface in due where heard[surface] == nil { heard[surface] = now - Int64(5000 + surface % 100) }
        }
        #expect(heard.count == count)
        #expect(heard.values.max() ?? 0 <= 1000)
    }

    @Test("Changes at any pace share their beats: two in a second are enough")
    func flood() {
        var schedule = BeatSchedule()
        schedule.surfaceAdded(count: 1, at: 0)
        var beats = 0
        for now in Int64(0)..<10_000 {
            schedule.surfaceChanged(0, at: now)
            beats += schedule.take(at: now).count
        }
        #expect(beats >= 10 && beats <= 21)
    }
}
