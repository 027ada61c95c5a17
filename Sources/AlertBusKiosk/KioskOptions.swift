/// How a kiosk server behaves. Every limit is here.
public struct KioskOptions: Sendable {
    /// Shown on the idle screen and as the page's title; the surface's name when empty.
    public var title = ""
    /// The language of the page's own words, a BCP 47 tag; the browser's when empty. English is used for what has no translation.
    public var language = ""
    /// No action counts before this many milliseconds have passed since an alert appeared, became the top one, or moved.
    public var inputGuard: Int = 300
    /// How many alerts of a surface are on top side by side: the policy's `slots`.
    public var slots: Int = 1
    /// Host names, beside loopback and the bound address, under which pages may reach this server.
    public var hosts: [String] = []
    /// HTTP connections at once, event streams included.
    public var connections: Int = 64
    /// Bytes of a request's body.
    public var bodyLimit: Int = 65_536
    /// Bytes held for one page; beyond that they are dropped and the page gets a snapshot.
    public var backlogLimit: Int = 1 << 20
    /// A connection without traffic is closed after this many seconds. Must be longer than `heartbeat`.
    public var connectionTimeout: Int = 20
    /// Milliseconds between two signs of life on an event stream.
    public var heartbeat: Int = 2_000
    /// How many milliseconds an action waits for the bus.
    public var actTimeout: Int = 10_000
    /// Actions that wait for the bus at once.
    public var actsInFlight: Int = 32
    /// Called with each log line, from any thread. Nothing is printed by itself.
    public var log: @Sendable (String) -> Void = { _ in }

    public init() {}
}

/// Why a kiosk server could not do what it was told. The description says what to do.
public enum KioskError: Error, Equatable, Sendable, CustomStringConvertible {
    case badAddress(String)
    case cannotBind(address: String, code: Int32, reason: String)
    case badMessage(op: String, fault: String)
    case alreadyRunning
    case stopped

    public var description: String {
        switch self {
        case .badAddress(let text):
            "\"\(text)\" is not an address; write ADDRESS:PORT such as 127.0.0.1:8080 or [::1]:8080"
        case .cannotBind(let address, let code, let reason):
            "cannot serve HTTP on \(address): \(reason) (error \(code)); choose another port, or stop what uses it"
        case .badMessage(let op, let fault):
            "a message \(op.isEmpty ? "without op" : "\"\(op)\"") cannot be drawn: \(fault)"
        case .alreadyRunning:
            "this kiosk server runs already; stop it first or make another one"
        case .stopped:
            "this kiosk server was stopped; make another one"
        }
    }
}
