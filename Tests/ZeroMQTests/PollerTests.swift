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
