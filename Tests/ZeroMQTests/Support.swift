import Glibc
import Testing
import ZeroMQ

/// How long anything may take before a test fails instead of hanging.
let patience = 5_000

/// Asks again and again until it is so, or patience is over.
func eventually(milliseconds: Int = patience, _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = now() + Int64(milliseconds)
    while true {
        if try condition() { return true }
        if now() >= deadline { return false }
        _ = poll(nil, 0, 1)
    }
}

func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

let anyPort = Endpoint.tcp(host: "127.0.0.1", port: 0)

extension TransportSocket {
    /// Binds to a port that the system chooses, and returns the real endpoint.
    func bindAnywhere() throws -> Endpoint {
        try bind(anyPort)
        return try boundEndpoint()
    }
}

extension ReceivingSocket {
    /// The next frame as text; a test failure when none comes.
    func text() throws -> String {
        try #require(try waitToReceive(milliseconds: patience), "nothing arrived")
        return try receive().text
    }
}

extension RouterSocket {
    func next(into body: inout Message) throws -> RouterArrival {
        try #require(try waitToReceive(milliseconds: patience), "nothing arrived")
        return try #require(try tryReceive(into: &body))
    }
}

extension Monitor {
    /// Everything heard up to an event that fits.
    func events(until last: (MonitorEvent.Kind) -> Bool) throws -> [MonitorEvent.Kind] {
        var heard: [MonitorEvent.Kind] = []
        let deadline = now() + Int64(patience)
        while now() < deadline {
            _ = try waitToReceive(milliseconds: 100)
            while let event = try tryReceive() {
                heard.append(event.kind)
                if last(event.kind) { return heard }
            }
        }
        Issue.record("the event did not come; heard \(heard)")
        return heard
    }
}
