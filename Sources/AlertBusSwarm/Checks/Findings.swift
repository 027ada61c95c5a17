import AlertBusMeasure

/// What the checks have looked at and found, while the swarm runs.
package struct Findings: Sendable {
    package typealias Name = SwarmReport.Check.Name

    private var checks = Name.allCases.map { SwarmReport.Check($0) }

    package init() {}

    package var list: [SwarmReport.Check] { checks }
    package var count: UInt64 { checks.reduce(0) { $0 + $1.findings } }

    package subscript(_ name: Name) -> SwarmReport.Check {
        checks[Self.place(name)]
    }

    package mutating func looked(at name: Name, times: UInt64 = 1) { checks[Self.place(name)].examined += times }

    package mutating func found(_ name: Name, _ text: @autoclosure () -> String) { checks[Self.place(name)].found(text()) }

    private static func place(_ name: Name) -> Int {
        switch name {
        case .lost: 0
        case .doubled: 1
        case .order: 2
        case .ended: 3
        case .answered: 4
        }
    }
}
