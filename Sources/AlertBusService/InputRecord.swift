import AlertBusCore
import AlertBusJournal
import AlertBusModel
import AlertBusWire

/// One input as the journal keeps it: its time, and either the bytes that a peer sent or what the arbiter itself did.
///
/// Layout, numbers with the least significant byte first: kind (1 byte), time (8), then by kind. A request is kept as it came, so that
/// the story can be told in the words of its senders; it was decoded once before, so it can be decoded again.
struct InputRecord {
    enum Kind: UInt8 {
        /// session (8), granted flags (1), top priority (1), alerts that it may hold (4), length of the producer's name (2), the name, the message.
        case request = 1
        case tick = 2
        /// epoch (8)
        case started = 3
        /// A `SavedConfiguration`.
        case configured = 4
        /// session (8)
        case ownerLost = 5
        /// load (8), message
        case loadFailed = 6
    }

    /// The version of this layout, noted in the journal. A journal that says a newer one is refused.
    static let format = 1

    /// Adds a request to a batch.
    static func append(
        _ requester: Requester, _ message: UnsafeRawBufferPointer, at time: Milliseconds, to batch: inout JournalBatch
    ) {
        var producer = requester.producer
        producer.withUTF8 { producer in
            batch.append(size: headSize + producer.count + message.count) { entry in
                entry[0] = Kind.request.rawValue
                entry.storeBytes(of: time.littleEndian, toByteOffset: 1, as: Milliseconds.self)
                entry.storeBytes(of: requester.session.littleEndian, toByteOffset: 9, as: UInt64.self)
                entry[17] = requester.mayBreakThrough ? 1 : 0
                entry[18] = requester.topPriority
                entry.storeBytes(of: UInt32(clamping: requester.maxAlerts).littleEndian, toByteOffset: 19, as: UInt32.self)
                entry.storeBytes(of: UInt16(producer.count).littleEndian, toByteOffset: 23, as: UInt16.self)
                UnsafeMutableRawBufferPointer(rebasing: entry[headSize...]).copyMemory(from: UnsafeRawBufferPointer(producer))
                UnsafeMutableRawBufferPointer(rebasing: entry[(headSize + producer.count)...]).copyMemory(from: message)
            }
        }
    }

    /// Bytes of a request before the producer's name.
    private static let headSize = 25

    /// - Precondition: the input is not a command; those are written with the bytes of their message.
    static func write(_ input: Input, at time: Milliseconds, to bytes: inout [UInt8]) {
        switch input {
        case .command, .loaded: preconditionFailure("a request is journaled with the bytes of its message")
        case .tick: begin(.tick, time, &bytes)
        case .started(let epoch):
            begin(.started, time, &bytes)
            append(epoch, &bytes)
        case .configured(let policies, let limits):
            begin(.configured, time, &bytes)
            bytes += SavedConfiguration.encode(policies, limits)
        case .ownerLost(let session):
            begin(.ownerLost, time, &bytes)
            append(session, &bytes)
        case .loadFailed(let load, let message):
            begin(.loadFailed, time, &bytes)
            append(load, &bytes)
            bytes += message.utf8
        }
    }

    private static func begin(_ kind: Kind, _ time: Milliseconds, _ bytes: inout [UInt8]) {
        bytes.append(kind.rawValue)
        append(UInt64(bitPattern: time), &bytes)
    }

    private static func append<Number: FixedWidthInteger>(_ number: Number, _ bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

/// Turns journal entries into inputs again.
final class InputReader {
    struct Fault: Error {
        var detail: String
    }

    struct Entry {
        var time: Milliseconds
        var input: Input
        /// The message of a request, as its sender wrote it; empty otherwise.
        var message: ArraySlice<UInt8>
    }

    private let decoder = RequestDecoder(limits: WireLimits(messageBytes: 1 << 30))

    func read(_ entry: ArraySlice<UInt8>) throws(Fault) -> Entry {
        var rest = entry
        guard let first = rest.popFirst(), let kind = InputRecord.Kind(rawValue: first) else {
            throw Fault(detail: "an entry of a kind that this version does not know (\(entry.first.map(String.init) ?? "empty"))")
        }
        let time = Milliseconds(bitPattern: try number(&rest))
        switch kind {
        case .request: return try request(time, rest)
        case .tick: return Entry(time: time, input: .tick, message: [])
        case .started: return Entry(time: time, input: .started(epoch: try number(&rest)), message: [])
        case .configured:
            do throws(StateFault) {
                let (policies, limits) = try SavedConfiguration.decode(Array(rest))
                return Entry(time: time, input: .configured(policies, limits), message: [])
            } catch {
                throw Fault(detail: "a configuration cannot be read: \(error)")
            }
        case .ownerLost: return Entry(time: time, input: .ownerLost(session: try number(&rest)), message: [])
        case .loadFailed:
            let load: UInt64 = try number(&rest)
            return Entry(
                time: time, input: .loadFailed(load: load, message: String(decoding: rest, as: UTF8.self)), message: [])
        }
    }

    private func request(_ time: Milliseconds, _ entry: ArraySlice<UInt8>) throws(Fault) -> Entry {
        var rest = entry
        let session: UInt64 = try number(&rest)
        let flags: UInt8 = try number(&rest)
        let topPriority: UInt8 = try number(&rest)
        let maxAlerts: UInt32 = try number(&rest)
        let length: UInt16 = try number(&rest)
        guard rest.count >= Int(length) else { throw Fault(detail: "an entry ends within a producer's name") }
        let producer = String(decoding: rest.prefix(Int(length)), as: UTF8.self)
        let message = rest.dropFirst(Int(length))
        let request: Request
        do throws(WireFault) {
            request = try message.span.bytes.withUnsafeBytes { bytes throws(WireFault) in try decoder.decode(bytes) }
        } catch {
            throw Fault(detail: "a message cannot be decoded again: \(error)")
        }
        let requester = Requester(
            session: session, producer: producer, once: request.once, mayBreakThrough: flags & 1 != 0,
            topPriority: topPriority, maxAlerts: Int(maxAlerts))
        let input: Input
        switch request.body {
        case .command(let command): input = .command(command, from: requester)
        case .loaded(let load, let rows): input = .loaded(load: load, rows: rows)
        case .loadFailed(let load, let text): input = .loadFailed(load: load, message: text)
        default: throw Fault(detail: "a message that changes nothing is in the journal")
        }
        return Entry(time: time, input: input, message: message)
    }

    private func number<Number: FixedWidthInteger>(_ bytes: inout ArraySlice<UInt8>) throws(Fault) -> Number {
        let size = MemoryLayout<Number>.size
        guard bytes.count >= size else { throw Fault(detail: "an entry is too short") }
        var number: Number = 0
        for (index, byte) in bytes.prefix(size).enumerated() { number |= Number(truncatingIfNeeded: byte) << (8 * index) }
        bytes = bytes.dropFirst(size)
        return number
    }
}
