import Glibc
import Synchronization
import Testing
import ZeroMQ

@Suite struct MessageTests {
    @Test(arguments: [0, 1, 33, 34, 100, 100_000]) func holdsItsBytes(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        var message = try Message(bytes)
        #expect(message.count == size)
        #expect(message.bytes == bytes)
        let copy = message.copy()
        message.clear()
        #expect(message.isEmpty == true)
        #expect(copy.bytes == bytes)
        #expect(copy.more == false)
        #expect(copy.userID == nil)
    }

    @Test func aCopyOfALargeMessageSharesItsBytes() throws {
        var message = try Message([UInt8](repeating: 7, count: 4_096))
        let copy = message.copy()
        let first = message.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        let second = copy.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        #expect(first == second)
    }

    @Test func anImpossibleSizeIsAnError() {
        #expect(throws: ZMQError(rawValue: ENOMEM)) { _ = try Message(size: Int.max / 2) { _ in } }
    }

    @Test func anOwnedBufferIsNotCopiedAndReleasedOnceWithTheLastCopy() throws {
        let released = Counter()
        do {
            var message = try Owner(released).message()
            let address = message.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
            let copies = Boxes((0..<3).map { _ in Box(message.copy()) })
            #expect(
                copies.boxes.allSatisfy { $0.message.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } == address })
            message.clear()
            #expect(released.value == 0)
        }
        #expect(released.value == 1)
    }

    @Test func anOwnedBufferThatWasSentIsReleasedOnce() throws {
        let context = try Context()
        let router = try RouterSocket(context)
        let dealer = try DealerSocket(context)
        try dealer.connect(try router.bindAnywhere())
        let released = Counter()
        for _ in 0..<100 {
            var message = try Owner(released).message()
            try dealer.send(&message)
        }
        var body = Message()
        for _ in 0..<100 {
            _ = try router.next(into: &body)
            #expect(body.bytes == Owner.content)
        }
        #expect(eventually { released.value == 100 })
    }

    @Test func anOwnedBufferThatIsNeverSentIsReleasedWithItsSocket() throws {
        let context = try Context()
        let dealer = try DealerSocket(context)
        try dealer.connect(.tcp(host: "127.0.0.1", port: 1))
        let released = Counter()
        for _ in 0..<100 {
            var message = try Owner(released).message()
            try dealer.send(&message)
        }
        #expect(released.value == 0)
        dealer.close()
        #expect(eventually { released.value == 100 })
    }

    @Test func sharedBytesMakeManyMessages() throws {
        let shared = SharedBytes(capacity: 10) { buffer in
            buffer.copyBytes(from: Array("four".utf8))
            return 4
        }
        #expect(shared.count == 4)
        for _ in 0..<2 { #expect(try shared.message().text == "four") }
    }
}

private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .sequentiallyConsistent) }
    func add() { count.add(1, ordering: .sequentiallyConsistent) }
}

/// Counts its end.
private final class Owner: Sendable {
    static let content = [UInt8](repeating: 42, count: 200)
    private let counter: Counter
    nonisolated(unsafe) private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 200, alignment: 16)

    init(_ counter: Counter) {
        self.counter = counter
        buffer.copyBytes(from: Self.content)
    }

    deinit {
        buffer.deallocate()
        counter.add()
    }

    func message() throws -> Message { try Message(of: UnsafeRawBufferPointer(buffer), keeping: self) }
}

/// An array cannot hold a noncopyable value by itself.
private final class Box {
    let message: Message
    init(_ message: consuming Message) { self.message = message }
}

private struct Boxes {
    let boxes: [Box]
    init(_ boxes: [Box]) { self.boxes = boxes }
}
