import Foundation

/// One axis of a plot: where a value lies, and the values that are labelled.
struct Axis {
    struct Tick: Equatable {
        var value: Double
        var label: String
    }

    var lower: Double
    var upper: Double
    var isLogarithmic = false
    var ticks: [Tick]

    /// 0 at the lower end, 1 at the upper one; what lies outside is drawn at the edge.
    func place(of value: Double) -> Double {
        let scale = { (value: Double) in isLogarithmic ? log10(max(value, lower)) : value }
        let place = (scale(value) - scale(lower)) / (scale(upper) - scale(lower))
        return min(max(place, 0), 1)
    }

    /// From 0 to a round number that is not below the highest value.
    static func linear(upTo highest: Double, label: (Double) -> String) -> Axis {
        let step = roundStep(atLeast: max(highest, 1e-9) / 5, steps: [1, 2, 2.5, 5])
        let count = max(Int((highest / step).rounded(.up)), 1)
        let ticks = (0...count).map { Tick(value: Double($0) * step, label: label(Double($0) * step)) }
        return Axis(lower: 0, upper: Double(count) * step, ticks: ticks)
    }

    /// Bytes, from 0 up, with steps that are round in binary.
    static func bytes(upTo highest: Double) -> Axis {
        var unit = 1.0
        while highest / unit >= 1024 { unit *= 1024 }
        var axis = linear(upTo: highest / unit) { Figure.bytes(UInt64($0 * unit)) }
        axis.upper *= unit
        for index in axis.ticks.indices { axis.ticks[index].value *= unit }
        return axis
    }

    /// Microseconds on a logarithmic scale, between values of the form 1, 2, 5, 10.
    static func times(from lowest: Double, to highest: Double) -> Axis {
        let lowest = max(lowest, 1)
        let marks = (0...10).flatMap { power in [1, 2, 5].map { $0 * pow(10, Double(power)) } }
        let lower = marks.last { $0 <= lowest } ?? 1
        let upper = marks.first { $0 >= highest && $0 > lower } ?? lower * 10
        let isWide = upper / lower > 200
        let ticks = marks.filter { mark in
            mark >= lower && mark <= upper && (!isWide || log10(mark).rounded() == log10(mark))
        }
        return Axis(
            lower: lower, upper: upper, isLogarithmic: true, ticks: ticks.map { Tick(value: $0, label: Figure.shortTime($0)) })
    }

    /// Seconds since the beginning.
    static func seconds(upTo last: Int) -> Axis {
        let last = max(last, 1)
        let steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400]
        let step = steps.first { last / $0 <= 6 } ?? (last / 6 / 86400 + 1) * 86400
        let ticks = stride(from: 0, through: last, by: step).map { Tick(value: Double($0), label: clock($0, step: step)) }
        return Axis(lower: 0, upper: Double(last), ticks: ticks)
    }

    /// Percentiles as the power of ten that lies beyond: 90 % at 1, 99 % at 2, up to what so many measurements can tell.
    static func percentiles(of count: UInt64) -> Axis {
        let upper = min(max(log10(Double(max(count, 1))), 1), 6)
        let marks: [(Double, String)] = [
            (log10(2), "50 %"), (1, "90 %"), (2, "99 %"), (3, "99.9 %"), (4, "99.99 %"), (5, "99.999 %"), (6, "99.9999 %"),
        ]
        return Axis(lower: 0, upper: upper, ticks: marks.filter { $0.0 <= upper }.map { Tick(value: $0.0, label: $0.1) })
    }

    private static func clock(_ seconds: Int, step: Int) -> String {
        switch step {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        default: "\(seconds / 3600) h"
        }
    }

    private static func roundStep(atLeast least: Double, steps: [Double]) -> Double {
        let power = pow(10, log10(least).rounded(.down))
        return (steps.first { $0 * power >= least * (1 - 1e-9) } ?? 10) * power
    }
}
