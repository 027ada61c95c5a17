import ZeroMQ

/// Raises many alerts over one connection.
enum Flood {
    static func raise(_ count: Int, on surface: String, at address: String) throws {
        let socket = try DealerSocket(try Context())
        try socket.setSendHighWaterMark(0)
        try socket.setReceiveHighWaterMark(0)
        try socket.setLinger(milliseconds: 5000)
        try socket.connect(try Endpoint(address))
        for number in 0..<count {
            try socket.send(#"{"v":1,"op":"raise","surface":"\#(surface)","key":"alert-\#(number)"}"#)
        }
        var received = 0
        while received < count, try socket.waitToReceive(milliseconds: 10_000) {
            _ = try socket.receive()
            received += 1
        }
    }
}

/// Runs a line of bash.
enum Shell {
    static func run(_ line: String) async throws -> Outcome {
        let process = try CommandProcess(["-c", line], binary: "/bin/bash")
        let code = try await process.wait()
        return Outcome(code: code, output: process.output, errors: process.errors)
    }
}
