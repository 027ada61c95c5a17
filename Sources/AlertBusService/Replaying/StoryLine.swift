import AlertBusModel

/// One thing that happened to an alert or to its surface: when, what, why, and who asked for it.
package struct StoryLine: Equatable, Sendable {
    /// What the arbiter was doing.
    package struct Cause: Equatable, Sendable {
        /// The op of a request, or `time`, `start`, `configuration`, `owner_lost`, `load_failed`.
        package var op: String
        package var producer = ""
        package var session: UInt64 = 0
    }

    package var time: Milliseconds
    package var position: UInt64
    /// A surface, or the scope of a command that was about many.
    package var surface: String
    /// Empty when it is about the surface.
    package var key = ""
    package var instance: UInt64 = 0
    package var revision: UInt32 = 0
    /// A rung of the receipt ladder, or `accepted`, `repeated`, `refused`, `updated`, `cleared`, `held`, `released`, `refreshing`,
    /// `started`, `configured`.
    package var event: String
    package var reason: Reason?
    package var answer: [UInt8] = []
    package var detail = ""
    package var cause: Cause

    /// Nothing follows.
    package var isEnd: Bool { event == Receipt.Event.ended.rawValue || event == "refused" }
}

/// Which part of the story is told.
package struct StoryFilter: Sendable {
    package var scope: SurfaceScope
    package var key: String?
    package var instance: UInt64?

    package init(scope: SurfaceScope, key: String? = nil, instance: UInt64? = nil) {
        self.scope = scope
        self.key = key
        self.instance = instance
    }

    package func contains(_ line: StoryLine) -> Bool {
        let isAboutMany = line.key.isEmpty && line.instance == 0
        guard scope.contains(line.surface) || isAboutMany && touches(line.surface) else { return false }
        if isAboutMany { return key == nil && instance == nil || line.event == "held" || line.event == "released" }
        if let key, line.key != key { return false }
        if let instance, line.instance != instance { return false }
        return true
    }

    private func touches(_ text: String) -> Bool {
        guard let other = try? SurfaceScope(text) else { return false }
        return other.contains(scope) || scope.contains(other) || other.contains(scope.text)
    }
}
