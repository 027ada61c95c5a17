/// Decides whether a request may come from this server's own page.
///
/// A page of somebody else's can make a browser send requests here. It cannot choose the `Host`, the `Origin` or `Sec-Fetch-Site`,
/// cannot read the token, and cannot send a header of its own without being asked for permission first, which is never given.
struct RequestGuard: Sendable {
    enum Refusal: Equatable {
        case foreignHost
        case foreignOrigin
        case noToken

        var explanation: String {
            switch self {
            case .foreignHost: "this name is not one of this server's; add it to the kiosk's hosts"
            case .foreignOrigin: "only this server's own page may do this"
            case .noToken: "the token is missing or was given out before a restart; reload the page"
            }
        }
    }

    let token: String
    private let names: Set<String>
    private let acceptsAnyAddress: Bool

    init(address: KioskAddress, hosts: [String]) {
        token = Self.makeToken()
        names = Set(["localhost", "127.0.0.1", "::1", address.host] + hosts.map { $0.lowercased() })
        acceptsAnyAddress = !address.isLoopback
    }

    /// 256 random bits as hexadecimal digits.
    static func makeToken() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Against DNS rebinding: a foreign name that was made to point here still stands in `Host`.
    func checkHost(_ host: String?) -> Refusal? {
        guard let host, let name = Self.hostName(host) else { return .foreignHost }
        if names.contains(name) { return nil }
        // A numeric address cannot be rebound, and behind a port mapping it is not the one that was bound.
        return acceptsAnyAddress && Self.isNumeric(name) ? nil : .foreignHost
    }

    /// For the event stream: browsers say where a request comes from; other clients do not.
    func checkReader(host: String?, origin: String?, site: String?) -> Refusal? {
        if let site, site != "same-origin" && site != "none" { return .foreignOrigin }
        if let origin, !Self.isSame(origin: origin, host: host) { return .foreignOrigin }
        return nil
    }

    /// For actions: everything must be right.
    func checkActor(host: String?, origin: String?, site: String?, token: String?) -> Refusal? {
        if let site, site != "same-origin" { return .foreignOrigin }
        guard let origin, Self.isSame(origin: origin, host: host) else { return .foreignOrigin }
        guard let token, isToken(token) else { return .noToken }
        return nil
    }

    /// Takes the same time wherever the first difference is.
    private func isToken(_ other: String) -> Bool {
        if other.utf8.count != token.utf8.count { return false }
        return zip(other.utf8, token.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func isSame(origin: String, host: String?) -> Bool {
        guard let host = host?.lowercased() else { return false }
        let origin = origin.lowercased()
        return origin == "http://" + host || origin == "https://" + host
    }

    private static func hostName(_ host: String) -> String? {
        let host = host.lowercased()
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return nil }
            return String(host[host.index(after: host.startIndex)..<end])
        }
        let name = host.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)[0]
        return name.isEmpty ? nil : String(name)
    }

    private static func isNumeric(_ name: String) -> Bool {
        (try? KioskAddress(host: name, port: 0).withSocketAddress { _, _ in true }) ?? false
    }
}
