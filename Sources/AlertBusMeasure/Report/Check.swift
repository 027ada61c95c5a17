extension SwarmReport {
    /// One promise, and what broke it.
    public struct Check: Sendable, Equatable {
        public enum Name: String, CaseIterable, Sendable, Codable {
            /// Everything that was accepted and had to reach a screen did.
            case lost
            /// Nothing was shown or acknowledged twice.
            case doubled
            /// Each surface's messages came in their order, without holes.
            case order
            /// Every accepted alert ended, exactly once.
            case ended
            /// Every answer reached the producer that it was for.
            case answered

            /// The promise, as a sentence.
            public var promise: String {
                switch self {
                case .lost: "Nothing is lost"
                case .doubled: "Nothing is doubled"
                case .order: "Everything is in order"
                case .ended: "Every accepted alert ends"
                case .answered: "Every answer arrives"
                }
            }
        }

        /// How many findings are kept as text.
        public static let mostExamples = 10

        public var name: Name
        /// How many things were looked at. A check that looked at nothing passes, and the report says so.
        public var examined: UInt64
        /// How many of them were wrong.
        public private(set) var findings: UInt64
        /// The first findings, each with what it takes to look further: surface, key, seq.
        public private(set) var examples: [String]

        public init(_ name: Name, examined: UInt64 = 0, findings: UInt64 = 0, examples: [String] = []) {
            self.name = name
            self.examined = examined
            self.findings = findings
            self.examples = Array(examples.prefix(Self.mostExamples))
        }

        public var passed: Bool { findings == 0 }

        /// Counts a finding; its text is only made when it is kept.
        public mutating func found(_ text: @autoclosure () -> String) {
            findings += 1
            if examples.count < Self.mostExamples { examples.append(text()) }
        }

        /// Adds what the same check found elsewhere.
        public mutating func merge(_ other: Check) {
            examined += other.examined
            findings += other.findings
            examples = Array((examples + other.examples).prefix(Self.mostExamples))
        }
    }
}

extension SwarmReport.Check: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, passed, examined, findings, examples
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(name, forKey: .name)
        try values.encode(passed, forKey: .passed)
        try values.encode(examined, forKey: .examined)
        try values.encode(findings, forKey: .findings)
        try values.encode(examples, forKey: .examples)
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(Name.self, forKey: .name),
            examined: try values.decode(UInt64.self, forKey: .examined),
            findings: try values.decode(UInt64.self, forKey: .findings),
            examples: try values.decode([String].self, forKey: .examples))
    }
}
