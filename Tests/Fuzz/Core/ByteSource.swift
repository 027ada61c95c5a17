/// Choices that the fuzzer makes: each takes a byte, and at the end all are the first.
struct ByteSource {
    private let bytes: UnsafeRawBufferPointer
    private var next = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isEmpty: Bool { next >= bytes.count }

    mutating func byte() -> UInt8 {
        guard next < bytes.count else { return 0 }
        defer { next += 1 }
        return bytes[next]
    }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(byte()) % values.count] }
    mutating func coin() -> Bool { byte() & 1 == 1 }
    mutating func below(_ bound: Int) -> Int { Int(byte()) % bound }
    mutating func maybe<Value>(_ value: (inout ByteSource) -> Value) -> Value? { byte() % 4 == 1 ? value(&self) : nil }
}
