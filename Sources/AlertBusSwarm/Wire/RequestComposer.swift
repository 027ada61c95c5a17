import AlertBusModel
import AlertBusWire
import Glibc

/// Writes requests from prepared pieces; only numbers differ from one to the next.
///
/// The same command gives the same bytes again, as sending again needs it.
final class RequestComposer {
    private let buffer: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    private var count = 0
    /// `,"producer":"…"` of each producer, empty where the connection's key says who it is.
    private let producers: [[UInt8]]
    /// `,"surface":"…"` of each surface.
    private let surfaces: [[UInt8]]
    /// What follows the key in a raise of each kind, up to the params.
    private let kinds: [[UInt8]]
    private let sizes: [Int]
    /// Raises that may be sent again after their alert has ended carry a token, so that they do not make another one.
    private let hasTokens: Bool

    init(_ options: SwarmOptions) {
        sizes = options.profile.kinds.map(\.bytes)
        capacity = (sizes.max() ?? 0) + 2048
        buffer = .allocate(capacity: capacity)
        let claims = options.keys == nil
        producers = (0..<options.ownProducers).map { local in
            claims ? Self.field("producer", "\(options.prefix)-p\(options.share.number(local))") : []
        }
        surfaces = (0..<options.ownSurfaces).map { Self.field("surface", "\(options.surfacePrefix)/\($0)") }
        kinds = options.profile.kinds.map(Self.kind)
        hasTokens = options.profile.churn.producer > 0
    }

    deinit { buffer.deallocate() }

    private static func field(_ name: String, _ value: String) -> [UInt8] {
        Array(",\"\(name)\":\(JSONValue.string(value).text)".utf8)
    }

    private static func kind(_ kind: SwarmProfile.Kind) -> [UInt8] {
        var text = ",\"priority\":\(kind.priority),\"ttl_ms\":\(kind.ttl)"
        if !kind.intercept { text += ",\"intercept\":false" }
        if !kind.activate { text += ",\"activate\":false" }
        if kind.display > 0 { text += ",\"display_ms\":\(kind.display)" }
        if kind.minShow > 0 { text += ",\"min_show_ms\":\(kind.minShow)" }
        return Array(text.utf8)
    }

    /// Gives the bytes of a command, valid inside `body` only.
    func compose<Value, Failure: Error>(
        _ command: PendingCommand, _ record: AlertRecord, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        count = 0
        switch command.kind {
        case .raise:
            open(#"{"v":1,"op":"raise","ref":"#, command)
            if hasTokens {
                put(#","once":"a"#)
                put(record.number)
                put(#"""#)
            }
            address(record)
            put(kinds[Int(record.kind)])
            params(intended: record.intended, sent: record.sent, size: sizes[Int(record.kind)])
        case .update:
            open(#"{"v":1,"op":"update","ref":"#, command)
            address(record)
            params(intended: command.intended, sent: command.sent, size: sizes[Int(record.kind)])
        case .withdraw:
            open(#"{"v":1,"op":"withdraw","ref":"#, command)
            address(record)
        case .status:
            open(#"{"v":1,"op":"status","ref":"#, command)
            address(record)
        case .answer:
            open(#"{"v":1,"op":"answer","ref":"#, command)
            screen(record)
            put(#","answer":{"action":"ok","n":"#)
            put(command.number)
            put("}")
        case .dismiss:
            open(#"{"v":1,"op":"dismiss","ref":"#, command)
            screen(record)
        }
        put("}")
        return try body(UnsafeRawBufferPointer(start: buffer, count: count))
    }

    private func open(_ head: StaticString, _ command: PendingCommand) {
        put(head)
        put(command.number)
    }

    /// As its producer names it.
    private func address(_ record: AlertRecord) {
        put(producers[Int(record.producer)])
        put(surfaces[Int(record.surface)])
        put(#","key":"a"#)
        put(record.number)
        put(#"""#)
    }

    /// As a screen names it.
    private func screen(_ record: AlertRecord) {
        put(surfaces[Int(record.surface)])
        put(#","instance":"#)
        put(Array("\(record.instance)".utf8))
    }

    private func params(intended: UInt64, sent: UInt64, size: Int) {
        put(#","params":{"t":"#)
        put(intended)
        put(#","s":"#)
        put(sent)
        put(#","pad":""#)
        let pad = min(size - count - 3, capacity - count - 64)
        if pad > 0 {
            memset(buffer + count, 0x78, pad)
            count += pad
        }
        put(#""}"#)
    }

    private func put(_ text: StaticString) {
        memcpy(buffer + count, text.utf8Start, text.utf8CodeUnitCount)
        count += text.utf8CodeUnitCount
    }

    private func put(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { memcpy(buffer + count, start, source.count) }
        }
        count += bytes.count
    }

    private func put(_ number: UInt64) {
        Digits.write(number, to: buffer + count)
        count += Digits.count
    }
}
