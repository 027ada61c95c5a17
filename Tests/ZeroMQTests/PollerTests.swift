import Glibc
import Synchronization
import TestSupport
import Testing
import ZeroMQ

@Suite struct PollerTests {
    let context: Context

    init() throws { context = try Context() }

    @Test func seesSocketsAndDescriptors() throws {
        let left = try PairSocket(context)
        try left.bind(.inproc(name: "pair"))
        let right = try PairSocket(context)
        try right.connect(.inproc(name: "pair"))
        let wakeUp = try WakeUp()
        let poller = Poller()
        let socketSlot = poller.add(right)
        let eventSlot = poller.add(descriptor: wakeUp.descriptor)

        #expect(try poller.wait(milliseconds: 0) == 0)
        try left.send("hello")
        #expect(try poller.wait(milliseconds: patience) == 1)
        #expect(poller.isReadable(socketSlot))
        #expect(!poller.isReadable(eventSlot))

        wakeUp.signal()
        wakeUp.signal()
        #expect(try poller.wait(milliseconds: patience) == 2)
        #expect(poller.isReadable(eventSlot))

        poller.set(socketSlot, [])
        #expect(try poller.wait(milliseconds: patience) == 1)
        #expect(!poller.isReadable(socketSlot))

        wakeUp.clear()
        #expect(try poller.wait(milliseconds: 0) == 0)
        wakeUp.signal()
        poller.remove(eventSlot)
        #expect(try poller.wait(milliseconds: 0) == 0)
        let again = poller.add(right, [.readable, .writable])
        #expect(try poller.wait(milliseconds: patience) == 1)
        #expect(poller.ready(again) == [.readable, .writable])
    }

    /// The descriptor of a socket shows nothing new for what was left in it, or for what a send took notice of on the way.
    @Test func whatIsLeftInASocketIsSeenAgain() throws {
        let left = try PairSocket(context)
        try left.bind(.inproc(name: "left"))
        let right = try PairSocket(context)
        try right.connect(.inproc(name: "left"))
        let poller = Poller()
        let slot = poller.add(right)
        for text in ["one", "two", "three"] { try left.send(text) }
        for text in ["one", "two", "three"] {
            #expect(try poller.wait(milliseconds: patience) == 1)
            #expect(poller.isReadable(slot))
            // Looking again changes nothing.
            #expect(try poller.wait(milliseconds: 0) == 1)
            #expect(try right.receive().text == text)
        }
        #expect(try poller.wait(milliseconds: 0) == 0)
        try left.send("four")
        try right.send("meanwhile")
        #expect(try right.events().contains(.readable))
        #expect(try poller.wait(milliseconds: patience) == 1)
        poller.set(slot, [])
        #expect(try poller.wait(milliseconds: 0) == 0)
        poller.set(slot, .readable)
        #expect(try poller.wait(milliseconds: 0) == 1)
    }

    @Test func twoPollersShareASocket() throws {
        let left = try PairSocket(context)
        try left.bind(.inproc(name: "shared"))
        let right = try PairSocket(context)
        try right.connect(.inproc(name: "shared"))
        let pollers = [Poller(), Poller()]
        for poller in pollers { _ = poller.add(right) }
        for _ in 0..<3 {
            for poller in pollers { #expect(try poller.wait(milliseconds: 0) == 0) }
            try left.send("hello")
            for poller in pollers { #expect(try poller.wait(milliseconds: patience) == 1) }
            #expect(try right.receive().text == "hello")
        }
    }

    @Test func aShutdownEndsAWait() throws {
        let own = try Context()
        let socket = try PairSocket(own)
        let poller = Poller()
        _ = poller.add(socket)
        #expect(try poller.wait(milliseconds: 0) == 0)
        let ending = TestThread { own.shutdown() }
        #expect(throws: ZMQError.terminated) { try poller.wait(milliseconds: patience) }
        ending.join()
        #expect(throws: ZMQError.terminated) { try poller.wait(milliseconds: 0) }
        socket.close()
    }

    /// What goes over a real connection comes whenever it comes: nothing is overslept.
    @Test func nothingIsOversleptBetweenConnections() throws {
        let router = try RouterSocket(context)
        let endpoint = try router.bindAnywhere()
        let rounds = 2000
        let echo = TestThread {
            do {
                let dealer = try DealerSocket(try Context())
                try dealer.connect(endpoint)
                let poller = Poller()
                let slot = poller.add(dealer)
                try dealer.send("0")
                for round in 1...rounds {
                    _ = try poller.wait(milliseconds: patience)
                    guard poller.isReadable(slot) else { return }
                    _ = try dealer.receive()
                    if round < rounds { try dealer.send("\(round)") }
                }
            } catch { Issue.record(error) }
        }
        let poller = Poller()
        let slot = poller.add(router)
        var body = Message()
        var answered = 0
        while answered < rounds {
            try #require(try poller.wait(milliseconds: patience) == 1, "nothing came after \(answered)")
            #expect(poller.isReadable(slot))
            while case .message(let peer, _)? = try router.tryReceive(into: &body) {
                _ = try body.withUnsafeBytes { bytes throws(ZMQError) in try router.send(to: peer, delimited: false, bytes) }
                answered += 1
            }
        }
        echo.join()
    }

    @Test func anEmptyPollerWaitsItsTime() throws {
        let begin = now()
        #expect(try Poller().wait(milliseconds: 30) == 0)
        #expect(now() - begin >= 29)
    }

    @Test func aClosedSocketIsAnErrorNotACrash() throws {
        let socket = try PairSocket(context)
        let poller = Poller()
        let slot = poller.add(socket)
        socket.close()
        #expect(throws: ZMQError.notASocket) { try poller.wait(milliseconds: 0) }
        #expect(throws: ZMQError.notASocket) { try socket.send("x") }
        #expect(throws: ZMQError.notASocket) { try socket.waitToReceive(milliseconds: 0) }
        poller.remove(slot)
        #expect(try poller.wait(milliseconds: 0) == 0)
    }

    /// Signals rain on the waiting thread; the wait neither ends early nor lasts longer for it.
    @Test func signalsDoNotEndAWait() throws {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in interruptions.add(1, ordering: .relaxed) }
        sigaction(SIGUSR1, &action, nil)
        let before = interruptions.load(ordering: .relaxed)
        let socket = try PairSocket(context)
        try socket.bind(.inproc(name: "quiet"))
        let poller = Poller()
        _ = poller.add(socket)
        // The threads that tests run on block signals.
        var signals = sigset_t()
        var maskBefore = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGUSR1)
        pthread_sigmask(SIG_UNBLOCK, &signals, &maskBefore)
        let target = pthread_self()
        let running = Flag()
        let storm = TestThread {
            while running.isUp {
                pthread_kill(target, SIGUSR1)
                _ = poll(nil, 0, 1)
            }
        }
        let begin = now()
        #expect(try poller.wait(milliseconds: 200) == 0)
        let lasted = now() - begin
        running.lower()
        storm.join()
        pthread_sigmask(SIG_SETMASK, &maskBefore, nil)
        #expect(interruptions.load(ordering: .relaxed) > before)
        #expect(lasted >= 199)
        #expect(lasted < Int64(patience))
    }

    @Test func aSocketTellsItsEventsAndDescriptor() throws {
        let socket = try DealerSocket(context)
        #expect(try socket.events() == [])
        #expect(try socket.descriptor() >= 0)
        try socket.connect(.tcp(host: "127.0.0.1", port: 1))
        #expect(try socket.events() == .writable)
    }
}

/// Counted by the signal handler, which can capture nothing.
private let interruptions = Atomic<Int>(0)
