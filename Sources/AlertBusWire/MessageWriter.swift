import AlertBusModel

/// Writes messages one behind the other into bytes that are used again.
///
/// Where one message ends and the next one begins is for the caller to note: `count`.
public struct MessageWriter: ~Copyable {
    var json: JSONWriter

    public init(capacity: Int = 4096) { json = JSONWriter(capacity: capacity) }

    /// A copy of everything that was written since `removeAll`.
    public var bytes: [UInt8] { json.bytes }

    /// The number of bytes that were written since `removeAll`.
    public var count: Int { json.count }

    /// Forgets what was written and keeps the memory.
    public mutating func removeAll() { json.removeAll() }

    /// Gives the bytes to `body` without a copy.
    public func withBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(json.buffer)
    }

    // MARK: Pieces that most messages share

    mutating func begin(_ head: StaticString, ref: [UInt8] = []) {
        json.raw(head)
        if !ref.isEmpty {
            json.raw(#","ref":"#)
            json.raw(ref)
        }
    }

    mutating func end() { json.raw("}") }

    mutating func field(_ name: StaticString, _ value: String) {
        json.raw(name)
        json.string(value)
    }

    mutating func field(_ name: StaticString, _ value: UInt64) {
        json.raw(name)
        json.integer(value)
    }

    mutating func field(_ name: StaticString, _ value: Int64) {
        json.raw(name)
        json.integer(value)
    }

    mutating func field(_ name: StaticString, _ value: Int) {
        json.raw(name)
        json.integer(value)
    }

    mutating func field(_ name: StaticString, _ value: Bool) {
        json.raw(name)
        json.boolean(value)
    }

    mutating func field(_ name: StaticString, json value: [UInt8]) {
        json.raw(name)
        json.raw(value)
    }
}
