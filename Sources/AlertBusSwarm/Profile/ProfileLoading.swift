import AlertBusConfiguration

extension SwarmProfile {
    /// Reads a profile and checks it whole.
    ///
    /// - Throws: everything that is wrong, in the order of the file; or why it cannot be read.
    package static func load(path: String) throws(ConfigurationFaults) -> SwarmProfile {
        var profile = try read(try TableFile(path: path))
        if profile.load.title.isEmpty { profile.load.title = name(of: path) }
        return profile
    }

    package static func decode(text: String, name: String) throws(ConfigurationFaults) -> SwarmProfile {
        try read(try TableFile(text: text, name: name))
    }

    private static func read(_ file: TableFile) throws(ConfigurationFaults) -> SwarmProfile {
        var file = file
        var profile = SwarmProfile()
        var places: [String: SourcePosition] = [:]
        for section in file.sections(known: ["load", "alert", "people", "subscribers", "churn", "policy"]) {
            places[section.name] = section.position
            switch section.name {
            case "load": file.table(section, ProfileTable.load, into: &profile.load)
            case "alert":
                let kinds = file.entries(section, ProfileTable.alert, default: Kind())
                if !kinds.isEmpty { profile.kinds = kinds }
            case "people": file.table(section, ProfileTable.people, into: &profile.people)
            case "subscribers": file.table(section, ProfileTable.subscribers, into: &profile.subscribers)
            case "churn": file.table(section, ProfileTable.churn, into: &profile.churn)
            default: file.table(section, ConfigurationTable.policy, into: &profile.policy)
            }
        }
        if profile.load.raise == 0 {
            file.conflict("load.raise", at: places["load"], expected: "at least 1, or there is nothing to do", found: "0")
        }
        if profile.kinds.allSatisfy({ $0.weight == 0 }) {
            file.conflict("alert.weight", at: places["alert"], expected: "at least one kind with a weight above 0", found: "none")
        }
        try file.check()
        return profile
    }

    private static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.hasSuffix(".toml") ? String(file.dropLast(5)) : file
    }
}
