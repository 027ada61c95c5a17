import AlertBus
import Glibc

/// With which keys a command connects: `--key` and `--server-key`, else the environment, else none.
enum ClientKeys {
    static let variable = "ALERTBUS_KEY"
    static let serverVariable = "ALERTBUS_SERVER_KEY"

    static let options: [OptionDefinition] = [
        .option(
            "key", "FILE",
            "This client's key file, as `alertbus keygen` makes it; default $\(variable), else no encryption"),
        .option(
            "server-key", "KEY",
            "The arbiter's public key, unless the key file holds it; default $\(serverVariable)"),
    ]

    /// Nil connects without encryption.
    static func security(_ arguments: Arguments) throws(CommandFailure) -> Security? {
        let path = arguments.text("key") ?? environment(variable)
        let serverKey = arguments.text("server-key") ?? environment(serverVariable)
        do throws(ClientError) {
            if let path { return try Security(keyFile: path, serverKey: serverKey) }
            return try serverKey.map { (key) throws(ClientError) in try Security(serverKey: key) }
        } catch {
            throw .usage(error.description)
        }
    }

    private static func environment(_ name: String) -> String? {
        guard let text = getenv(name).map({ String(cString: $0) }), !text.isEmpty else { return nil }
        return text
    }
}
