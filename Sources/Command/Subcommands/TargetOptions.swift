import AlertBusModel

/// Which alert a command means: by key or by instance.
enum TargetOptions {
    static let instance = OptionDefinition.option(
        "instance", "N", "The instance in place of a key, where several producers use the same one")

    /// The top one when neither is given.
    static func target(_ arguments: Arguments) throws(CommandFailure) -> Target {
        let instance = try arguments.integer("instance", 1...UInt64.max)
        guard let key = arguments.operand("KEY") else { return instance.map(Target.instance) ?? .top }
        if instance != nil { throw .usage("KEY and --instance exclude each other") }
        return .key(try Arguments.checked(key, "KEY"))
    }

    /// For commands that must name their alert.
    static func named(_ arguments: Arguments) throws(CommandFailure) -> Target {
        let target = try target(arguments)
        if case .top = target { throw .usage("KEY is missing: name the alert by its key or by --instance") }
        return target
    }
}
