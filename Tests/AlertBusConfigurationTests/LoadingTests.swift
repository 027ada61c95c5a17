import AlertBusConfiguration
import AlertBusModel
import Testing

@Suite("Loading a configuration")
struct LoadingTests {
    private func faults(
        _ text: String, overrides: [ConfigurationOverride] = []
    ) -> [ConfigurationFault] {
        do throws(ConfigurationFaults) {
            _ = try Configuration.decode(text: text, name: "t.toml", overrides: overrides)
            return []
        } catch {
            return error.faults
        }
    }

    @Test("Every section reaches its place")
    func values() throws {
        let configuration = try Configuration.decode(
            text: """
                [arbiter]
                requests = "ipc:///tmp/alertbus-test"
                feed = "none"
                journal = "memory"
                ipc_mode = "0660"
                [limits]
                frames = 4
                alerts = 12
                [liveness]
                owner_grace_ms = 1
                [journal]
                snapshot_every = 7
                [feed]
                beat_after_ms = 20
                [security]
                insecure = true
                [default_policy]
                order = "arrival"
                hold = "on"
                [[policy]]
                surfaces = "lobby/*/modal"
                covered = "hide"
                preempt = "higher"
                overflow = "evict_lowest"
                activation_delay_ms = 0
                max_priority = 255
                hold = "off"
                """, name: "t.toml")
        #expect(configuration.arbiter.requests.transport == .ipc(path: "/tmp/alertbus-test"))
        #expect(configuration.arbiter.feed == nil)
        #expect(configuration.arbiter.journal == .memory)
        #expect(configuration.arbiter.ipcMode == 0o660)
        #expect(configuration.peerLimits.frames == 4)
        #expect(configuration.limits.alerts == 12)
        #expect(configuration.limits.ownerGrace == 1)
        #expect(configuration.journal.snapshotEvery == 7)
        #expect(configuration.feed.beatAfter == 20)
        #expect(configuration.security.insecure)
        var fallback = Policy()
        fallback.order = .arrival
        fallback.hold = true
        #expect(configuration.policies.fallback == fallback)
        var policy = Policy()
        policy.covered = .hide
        policy.preempt = .higher
        policy.overflow = .evictLowest
        policy.activationDelay = 0
        policy.maxPriority = 255
        #expect(configuration.policies.policy(for: "lobby/kiosk-1/modal") == policy)
    }

    @Test("All faults come at once, in the order of the file, and one mistake gives one message")
    func allFaults() {
        let found = faults(
            """
            [feed]
            beat_after_ms = "soon"
            beat_cycle_ms = 10
            [[policy]]
            surfaces = "lobby/**"
            slots = 0
            orders = "arrival"
            [[policy]]
            surfaces = "lobby/a"
            [limits]
            frames = true
            """)
        #expect(
            found.map { "\($0.position?.line ?? 0):\($0.position?.column ?? 0) \($0.key) \($0.kind.rawValue)" } == [
                "2:17 feed.beat_after_ms wrong_type", "6:9 policy[0].slots impossible_value",
                "7:1 policy[0].orders unknown_key", "9:12 policy[1].surfaces unreachable_policy",
                "11:10 limits.frames wrong_type",
            ])
    }

    @Test("Columns count code points, and a tab is one")
    func columns() {
        #expect(faults("default_policy = { \"é\" = 1,\tslots = 0 }").map(\.position?.column) == [20, 37])
    }

    @Test(
        "A file that cannot be read names its path and the system's reason",
        arguments: [
            ("/nonexistent/alertbus.toml", 2, "No such file or directory"), ("/", 21, "Is a directory"),
            ("/dev/zero", 27, "File too large"),
        ])
    func unreadable(path: String, number: Int32, reason: String) {
        let error = #expect(throws: ConfigurationFaults.self) { try Configuration.load(path: path) }
        #expect(error?.faults.map(\.errno) == [number])
        #expect(error?.faults.map(\.kind) == [.unreadable])
        #expect(error?.description == "\(path): cannot be read: \(reason) (errno \(number))")
    }

    @Test("Relative paths count from the directory of the file")
    func relativePaths() throws {
        let path = Repository.root + "/.build/alertbus-paths-test.toml"
        let text = """
            arbiter.journal = "state/journal.db"
            security.curve_key_file = "/etc/alertbus/key"
            security.permissions_file = "permissions.toml"
            """
        try #require(Repository.write(text, to: path))
        let configuration = try Configuration.load(path: path)
        #expect(configuration.arbiter.journal == .file(path: Repository.root + "/.build/state/journal.db"))
        #expect(configuration.security.curveKeyFile == "/etc/alertbus/key")
        #expect(configuration.security.permissionsFile == Repository.root + "/.build/permissions.toml")
    }

    @Test("An override replaces a value before the conflicts are looked for")
    func overrides() throws {
        let text = "arbiter.requests = \"tcp://0.0.0.0:5570\""
        let insecure = ConfigurationOverride(key: "security.insecure", value: "true", source: "--insecure")
        #expect(faults(text).map(\.kind) == [.conflict])
        #expect(faults(text, overrides: [insecure]).isEmpty)
        let journal = ConfigurationOverride(key: "arbiter.journal", value: "memory", source: "--journal")
        let limit = ConfigurationOverride(key: "limits.frames", value: "4", source: "--set")
        let configuration = try Configuration.decode(text: "", name: "defaults", overrides: [journal, limit])
        #expect(configuration.arbiter.journal == .memory)
        #expect(configuration.peerLimits.frames == 4)
    }

    @Test(
        "A wrong override names its option",
        arguments: [
            (
                "limits.frame", "4", "--set: limits.frame: unknown key; did you mean limits.frames?"
            ),
            (
                "limits.frames", "four",
                #"--set: limits.frames: expected an integer from 1 to 64 frames, found "four""#
            ),
            ("limits.frames", "65", "--set: limits.frames: expected an integer from 1 to 64 frames, found 65"),
            (
                "default_policy.order", "arival",
                #"--set: default_policy.order: expected "priority" or "arrival", found "arival"; "#
                    + #"did you mean "arrival"?"#
            ),
            (
                "arbiter.requests", "tcp://10.0.0.1:5570",
                #"--set: arbiter.requests: expected a loopback address, or security.curve_key_file, or "#
                    + #"security.insecure = true, found "tcp://10.0.0.1:5570""#
            ),
            (
                "limits.message_bytes", "2097152",
                "--set: limits.producer_backlog_bytes: expected at least limits.message_bytes, "
                    + "which is 2_097_152, found 1_048_576 (the default)"
            ),
        ])
    func wrongOverride(key: String, value: String, message: String) {
        let override = ConfigurationOverride(key: key, value: value, source: "--set")
        #expect(faults("", overrides: [override]).map(\.description) == [message])
    }

    @Test(
        "What other machines can reach is told from what they cannot",
        arguments: [
            ("tcp://127.0.0.1:1", true), ("tcp://127.9.9.9:*", true), ("tcp://localhost:5570", true),
            ("tcp://[::1]:5570", true), ("ipc:///tmp/x", true), ("tcp://*:5570", false), ("tcp://0.0.0.0:5570", false),
            ("tcp://127.evil.example:5570", false), ("tcp://127.0.0.1.example:5570", false), ("tcp://[::]:5570", false),
            ("tcp://eth0:5570", false), ("tcp://128.0.0.1:5570", false),
        ])
    func local(text: String, isLocal: Bool) throws {
        #expect(try ListenAddress(text).isLocal == isLocal)
    }

    @Test("Faults are one JSON object a line, whatever they quote")
    func json() {
        let error = #expect(throws: ConfigurationFaults.self) {
            try Configuration.decode(text: "\"a\\n\\\"\\u0001\" = 1\n[limits]\nframes = 0", name: "t\\.toml")
        }
        let lines = error?.jsonLines.split(separator: "\n").map(String.init) ?? []
        #expect(lines.count == 2)
        #expect(lines.first?.contains(#""file":"t\\.toml","line":1,"column":1,"key":"\"a\\n\\\"\\u0001\"","#) == true)
        #expect(
            lines.last == #"{"kind":"impossible_value","file":"t\\.toml","line":3,"column":10,"key":"limits.frames","#
                + #""expected":"an integer from 1 to 64 frames","found":"0","suggestion":"","errno":0,"#
                + #""message":"expected an integer from 1 to 64 frames, found 0"}"#)
    }

    @Test("Deep, long and strange texts are refused, not crashed on")
    func hostile() {
        let dots = "a" + String(repeating: ".a", count: 500_000)
        let brackets = "a = " + String(repeating: "[", count: 2000)
        let deep = "[" + "a" + String(repeating: ".a", count: 2000) + "]"
        for text in [dots, brackets, deep, "\u{0}", "[[policy]]\n" + String(repeating: "x", count: 5000)] {
            #expect(faults(text).count == 1)
        }
    }
}
