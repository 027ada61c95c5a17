import AlertBusModel
import AlertBusWire
import ZeroMQ

/// `alertbus keygen`: a pair of keys for a client, or for the arbiter.
enum KeygenCommand {
    static let definition = Subcommand(
        name: "keygen", summary: "Make a pair of keys, and print what belongs into the arbiter's files",
        operands: [.required("NAME", "The client's name: its producer name on the bus")],
        options: [
            .option("out", "FILE", "Where the keys are written; default NAME.key"),
            .flag("server", "The keys of an arbiter, which its configuration names in security.curve_key_file"),
        ],
        notes: [
            "The file has mode 0600 and is never overwritten. For a client, standard output is an entry for the permissions file: "
                + "give it surfaces, then append it. With --server-key the client's file also holds the arbiter's public key, so that "
                + "--key FILE is all that the client needs. A public key has characters that the shell would take: quote it."
        ],
        examples: [
            "alertbus keygen arbiter --server --out arbiter.key",
            "alertbus keygen gate-7 --server-key 'Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID'",
        ],
        run: run)

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        let name = try Arguments.checked(arguments.required("NAME"), "NAME")
        let isServer = arguments.has("server")
        let path: String
        if let out = arguments.text("out") { path = out } else { path = try file(of: name) }
        var serverKey: CurvePublicKey?
        if let text = arguments.text("server-key") {
            if isServer { throw .usage("--server and --server-key exclude each other") }
            guard let key = CurvePublicKey(z85: text) else {
                throw .usage("--server-key takes a public key of 40 characters, got \(Quoting.quoted(text))")
            }
            serverKey = key
        }
        let pair = try write(path, name, isServer, serverKey)
        let key = pair.publicKey.z85
        if arguments.wantsJSON {
            let line: JSONValue = .object([
                .init("name", .string(name)), .init("key", .string(key)), .init("file", .string(path)),
            ])
            StandardOutput.line(line.text)
            return .done
        }
        StandardOutput.line(isServer ? section(path, key) : entry(name, key))
        StandardError.line("alertbus keygen: wrote \(Quoting.safe(path)), mode 0600")
        return .done
    }

    private static func file(of name: String) throws(CommandFailure) -> String {
        if name.contains("/") || name.hasPrefix(".") || name.hasPrefix("-") {
            throw .usage("\(Quoting.quoted(name)) is no name for a file; say where the keys go with --out")
        }
        return name + ".key"
    }

    private static func write(
        _ path: String, _ name: String, _ isServer: Bool, _ serverKey: CurvePublicKey?
    ) throws(CommandFailure) -> CurveKeyPair {
        let pair: CurveKeyPair
        do throws(ZMQError) { pair = try CurveKeyPair.generate() } catch { throw .refused("no keys could be made: \(error)") }
        let file = CurveKeyFile(publicKey: pair.publicKey, secretKey: pair.secretKey, serverKey: serverKey)
        do throws(CurveKeyFile.Fault) {
            try file.write(
                path: path, comment: "AlertBus keys of \(isServer ? "the arbiter " : "")\(name). Keep the secret one secret.")
        } catch {
            throw .refused("\(error). Keys are never overwritten; choose another file with --out.")
        }
        return pair
    }

    /// For the permissions file. Nothing is allowed until somebody says what.
    private static func entry(_ name: String, _ key: String) -> String {
        """
        [[client]]
        name = \(JSONValue.string(name).text)
        key = "\(key)"
        # What it may do, for instance:
        # producer = ["lobby/**"]
        # subscriber = ["lobby/kiosk-1/**"]
        """
    }

    /// For the arbiter's configuration.
    private static func section(_ path: String, _ key: String) -> String {
        """
        [security]
        curve_key_file = \(JSONValue.string(path).text)
        # The public key, for the clients' --server-key:
        # \(key)
        """
    }
}
