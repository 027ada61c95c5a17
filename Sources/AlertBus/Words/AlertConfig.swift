import AlertBusModel
import AlertBusWire

/// What a program says about an alert.
public struct AlertConfig: Equatable, Sendable {
    /// The key of the alert; one that is in use is refused. Where a call names the key itself, this is ignored.
    public var identifier: String
    /// 1 (low) to 3 (high), or to what the surface's policy allows; anything else counts as 1.
    public var priority: Int
    /// If the screen is busy, the alert may be intercepted: it waits, or is refused.
    public var isIntercept: Bool
    /// If intercepted or covered, it is kept and shown later; otherwise it is refused, or ends `displaced`.
    public var isActivate: Bool
    /// What the screen shows: an object. `title` and `body` are what every screen understands.
    public var params: JSONValue
    /// Valid since acceptance for so long; nil is without limit. 1 ms to a year.
    public var lifetime: Duration?
    /// Time on screen with nothing over it; nil is without limit. 1 ms to a year.
    public var displayTime: Duration?
    /// Once shown, not covered or replaced before this; nil leaves it to the policy.
    public var shortestShow: Duration?
    /// A hint for the screen: `modal`, `banner`, `sheet`, `over_full_screen`.
    public var presentation: String?
    /// Data that must be there before the alert is shown.
    public var sources: [DataSource]
    /// How long all sources together may take; nil leaves it to each one's own limit. 1 ms to an hour.
    public var loadingTime: Duration?
    /// It asks to be shown on a held surface.
    public var breaksThrough = false
    /// It ends when the last connection that raised it dies.
    public var closesOnOwnerLoss = false
    /// If the key is in use with other content, that is replaced in place instead of being refused.
    public var updatesExisting = false

    public init(
        identifier: String = "", title: String? = nil, body: String? = nil, priority: Int = 1, isIntercept: Bool = true,
        isActivate: Bool = true, params: JSONValue = [:], lifetime: Duration? = nil, displayTime: Duration? = nil,
        shortestShow: Duration? = nil, presentation: String? = nil, sources: [DataSource] = []
    ) {
        self.identifier = identifier
        self.priority = priority
        self.isIntercept = isIntercept
        self.isActivate = isActivate
        var members = params.members ?? []
        if let title { members.append(.init("title", .string(title))) }
        if let body { members.append(.init("body", .string(body))) }
        self.params = .object(members)
        self.lifetime = lifetime
        self.displayTime = displayTime
        self.shortestShow = shortestShow
        self.presentation = presentation
        self.sources = sources
    }

    package var content: AlertContent {
        var content = AlertContent()
        content.priority = UInt8(exactly: priority) ?? 1
        content.intercept = isIntercept
        content.activate = isActivate
        content.breakthrough = breaksThrough
        content.closesOnOwnerLoss = closesOnOwnerLoss
        content.ttl = lifetime.map { max(1, $0.milliseconds) }
        content.display = displayTime.map { max(1, $0.milliseconds) }
        content.minShow = shortestShow.map { max(0, $0.milliseconds) }
        content.presentation = presentation
        content.params = params.members?.isEmpty == false ? params.bytes : []
        content.loadTimeout = loadingTime.map { max(1, $0.milliseconds) }
        content.sources = sources.map(\.source)
        return content
    }
}

/// One list that an alert needs: the name of its provider, what it is asked, and what was selected before.
public struct DataSource: Equatable, Sendable, ExpressibleByStringLiteral {
    public var name: String
    public var request: JSONValue?
    /// Ids: numbers or strings.
    public var selected: [JSONValue]
    /// How long a provider may take. 1 ms to an hour.
    public var timeout: Duration
    /// The alert may be shown without it.
    public var isOptional: Bool

    public init(
        _ name: String, request: JSONValue? = nil, selected: [JSONValue] = [], timeout: Duration = .seconds(10),
        isOptional: Bool = false
    ) {
        self.name = name
        self.request = request
        self.selected = selected
        self.timeout = timeout
        self.isOptional = isOptional
    }

    public init(stringLiteral name: String) { self.init(name) }

    var source: Source {
        Source(
            name: name, request: request?.bytes ?? [], selected: selected.map(\.bytes),
            timeout: max(1, timeout.milliseconds), isOptional: isOptional)
    }
}

extension ShownAlert {
    /// The parameters as a tree; an empty object when there are none.
    public var parameters: JSONValue { params.isEmpty ? [:] : (try? JSONValue(params)) ?? [:] }

    public var title: String? { parameters["title"]?.string }
    public var body: String? { parameters["body"]?.string }

    /// The rows of a source, with the mark of what is selected; empty when the alert has no such source.
    public func rows(of source: String) -> [OfferedRow] {
        guard let data = data.first(where: { $0.name == source }) else { return [] }
        let selected = Set(data.selected)
        return data.rows.compactMap { row in
            guard let value = try? JSONValue(row.json), let id = try? JSONValue(row.id) else { return nil }
            return OfferedRow(id: id, value: value, isSelected: selected.contains(row.id))
        }
    }
}

/// One row that a person can choose.
public struct OfferedRow: Equatable, Sendable {
    public var id: JSONValue
    /// The whole row as the provider sent it.
    public var value: JSONValue
    public var isSelected: Bool
}
