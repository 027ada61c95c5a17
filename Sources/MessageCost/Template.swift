/// A message in which `########` stands for a number of eight digits from 10,000,000 on, and `@` for one of four digits.
struct Template {
    /// A raise with `update` on a few keys: one message to the screen and one reply for each.
    static var update: Template {
        Template(
            #"{"v":1,"op":"raise","ref":########,"surface":"hall/screen-@","key":"door-@","priority":2,"update":true,"params":{"title":"Door ######## is open","body":"\#(String(repeating: "x", count: 90))"}}"#
        )
    }

    /// A raise that is shown at once.
    static var raise: Template {
        Template(
            #"{"v":1,"op":"raise","ref":########,"surface":"hall/screen-@","key":"door-########","priority":2,"intercept":false,"params":{"title":"Door ######## is open","body":"\#(String(repeating: "x", count: 80))"}}"#
        )
    }

    static var dismiss: Template { Template(#"{"v":1,"op":"dismiss","ref":########,"surface":"hall/screen-@"}"#) }

    private var bytes: [UInt8]
    private var numbers: [Int] = []
    private var digits: [Int] = []

    init(_ text: String) {
        bytes = Array(text.utf8)
        var place = 0
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "#") {
                numbers.append(place)
                place += 8
            } else {
                if bytes[place] == UInt8(ascii: "@") { digits.append(place) }
                place += 1
            }
        }
    }

    mutating func filled(_ number: Int) -> [UInt8] {
        for place in digits { bytes[place] = UInt8(ascii: "0") + UInt8(number & 3) }
        for place in numbers {
            var rest = 10_000_000 + number
            for offset in stride(from: 7, through: 0, by: -1) {
                bytes[place + offset] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
        }
        return bytes
    }
}
