import AlertBusJournalTestSupport
import AlertBusWire
import Glibc
import Testing

/// A client that compares nothing but numbers must notice a restart, and a new session is no owner of what an earlier one raised.
@Suite struct SessionNumberTests {
    let directory = JournalDirectory()

    @Test func `no session has the number of one of an earlier start, and none hears of an alert raised by one of those`() throws {
        let address = "ipc://\(directory.directory)/requests"
        let words = ["arbiter", "--requests", address, "--feed", "none", "--journal", directory.journal, "--json"]
        var numbers: [String] = []
        for start in 1...3 {
            let process = try ArbiterProcess(words, place: directory.directory + "/arbiter-\(start)")
            try poll("the arbiter to be ready; \(process.errors)") { process.output.contains("\n") }
            let peer = try Peer(address)
            let pong = try peer.ask(1, #"{"v":1,"op":"ping","ref":1}"#)
            numbers.append(try #require(pong["session"]?.string))
            if start == 1 {
                _ = try peer.ask(2, #"{"v":1,"op":"raise","ref":2,"surface":"lobby/a","key":"door","producer":"gate"}"#)
            } else if start == 2 {
                // Another peer, the first one of its start as well: the end is not for it.
                var heard: [String] = []
                let reply = try peer.ask(2, #"{"v":1,"op":"dismiss","ref":2,"surface":"lobby/a"}"#) {
                    heard.append($0["op"]?.string ?? "")
                }
                #expect(reply["op"]?.string == "done")
                // What would come behind the reply is there when the next reply is.
                let next = try peer.ask(3, #"{"v":1,"op":"ping","ref":3}"#) { heard.append($0["op"]?.string ?? "") }
                #expect(next["op"]?.string == "pong")
                #expect(heard == [])
            }
            process.send(SIGKILL)
            _ = process.wait()
        }
        #expect(Set(numbers).count == 3, "\(numbers)")
    }
}
