// Each fixture is one line.
// swift-format-ignore-file

extension BadInput {
    /// Texts that are not JSON, or not within its limits.
    static let json: [BadInput] =
        texts + numbers + strings + [
            BadInput("larger than the limit", String(repeating: " ", count: (1 << 20) + 1), at: "byte 1048576", says: "1048577 bytes", keepsRef: false),
            .raise("65 deep in arrays", #""params":{"a":\#(nested(63))}"#, at: "byte \(added + 14 + 62)", says: "more than 64 deep"),
            BadInput("deep nesting alone", String(repeating: "[", count: 100_000), at: "byte 64", says: "more than 64 deep", keepsRef: false),
            .raise("a number of 129 bytes", #""params":{"n":1\#(String(repeating: "0", count: 128))}"#, at: "byte \(added + 14)", says: "more than 128 bytes"),
        ]

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    private static let texts: [BadInput] = [
        BadInput("nothing", "", at: "byte 0", says: "expected a value, got the end", keepsRef: false),
        BadInput("white space", " \n", at: "byte 2", says: "expected a value, got the end", keepsRef: false),
        BadInput("an array", "[1]", at: "", says: "expected an object, got [1]", keepsRef: false),
        BadInput("a string", #""raise""#, at: "", says: "expected an object", keepsRef: false),
        BadInput("a byte-order mark", "\u{FEFF}{}", at: "byte 0", says: "0xEF", keepsRef: false),
        BadInput("a zero byte", bytes: [0], at: "byte 0", says: "0x0", keepsRef: false),
        BadInput("cut off", #"{"ref":"r","v":1"#, at: "byte 16", says: "expected ',' or '}' after a value, got the end"),
        BadInput("cut off in a name", #"{"ref":"r","v"#, at: "byte 13", says: "closing quote"),
        BadInput("no colon", #"{"ref":"r","v" 1}"#, at: "byte 15", says: "expected ':'"),
        BadInput("no comma", #"{"ref":"r" "v":1}"#, at: "byte 11", says: "expected ',' or '}'"),
        BadInput("a comma too many", #"{"ref":"r","v":1,}"#, at: "byte 17", says: "expected a field name"),
        BadInput("a comma too many in an array", #"{"ref":"r","a":[1,]}"#, at: "byte 18", says: "expected a value, got ']'"),
        BadInput("an array that ends as an object", #"{"ref":"r","a":[1}}"#, at: "byte 17", says: "expected ',' or ']'"),
        BadInput("a name without quotes", #"{"ref":"r",v:1}"#, at: "byte 11", says: "expected a field name in quotes, got 'v'"),
        BadInput("a number as a name", #"{"ref":"r",1:1}"#, at: "byte 11", says: "expected a field name"),
        BadInput("single quotes", #"{"ref":"r",'v':1}"#, at: "byte 11", says: "expected a field name"),
        BadInput("a comment", #"{"ref":"r",/* */"v":1}"#, at: "byte 11", says: "got '/'"),
        BadInput("text behind the object", #"{"ref":"r","v":1} x"#, at: "byte 18", says: "expected the end of the message, got 'x'"),
        BadInput("a second object", #"{"ref":"r","v":1}{}"#, at: "byte 17", says: "expected the end of the message"),
        BadInput("a zero byte behind the object", #"{"ref":"r","v":1}"# + "\u{0}", at: "byte 17", says: "0x0"),
        BadInput("a form feed between tokens", "{\"ref\":\"r\",\u{c}\"v\":1}", at: "byte 11", says: "0xC"),
        BadInput("a no-break space between tokens", "{\"ref\":\"r\",\u{a0}\"v\":1}", at: "byte 11", says: "0xC2"),
        .raise("NaN", #""params":{"n":NaN}"#, at: "byte \(added + 14)", says: "expected a value, got 'N'"),
        .raise("Infinity", #""params":{"n":-Infinity}"#, at: "byte \(added + 15)", says: "expected a number, got 'I'"),
        .raise("True", #""params":{"n":True}"#, at: "byte \(added + 14)", says: "expected a value, got 'T'"),
        .raise("nul", #""params":{"n":nul}"#, at: "byte \(added + 14)", says: "not 'null'"),
        .raise("truex", #""params":{"n":truex}"#, at: "byte \(added + 14)", says: "not 'true'"),
    ]

    private static let numbers: [BadInput] = [
        .raise("1e400", #""params":{"n":1e400}"#, at: "byte \(added + 14)", says: "larger than a double"),
        .raise("-1e309 in an unknown field", #""x":-1e309"#, at: "byte \(added + 4)", says: "larger than a double"),
        .raise("a zero before a number", #""params":{"n":01}"#, at: "byte \(added + 15)", says: "expected a number, got '1'"),
        .raise("a plus before a number", #""params":{"n":+1}"#, at: "byte \(added + 14)", says: "got '+'"),
        .raise("a point at the end of a number", #""params":{"n":1.}"#, at: "byte \(added + 16)", says: "expected a number"),
        .raise("a point at the start of a number", #""params":{"n":.5}"#, at: "byte \(added + 14)", says: "expected a value, got '.'"),
        .raise("an exponent without digits", #""params":{"n":1e+}"#, at: "byte \(added + 17)", says: "expected a number"),
        .raise("a hexadecimal number", #""params":{"n":0x1F}"#, at: "byte \(added + 15)", says: "got 'x'"),
        .raise("a minus alone", #""params":{"n":-}"#, at: "byte \(added + 15)", says: "expected a number"),
    ]

    private static let strings: [BadInput] = [
        .raise("a high surrogate alone", #""params":{"n":"\ud800"}"#, at: "byte \(added + 15)", says: "half of a surrogate pair"),
        .raise("a low surrogate alone", #""params":{"n":"\udc00"}"#, at: "byte \(added + 15)", says: "half of a surrogate pair"),
        .raise("surrogates in the wrong order", #""params":{"n":"\udc00\ud800"}"#, at: "byte \(added + 15)", says: "half of a surrogate pair"),
        .raise("a high surrogate before a letter", #""params":{"n":"\ud800\u0041"}"#, at: "byte \(added + 15)", says: "half of a surrogate pair"),
        .raise("two high surrogates", #""params":{"n":"\ud800\ud800"}"#, at: "byte \(added + 15)", says: "half of a surrogate pair"),
        .raise("a high surrogate before a character above all", #""params":{"n":"\ud800\ue000"}"#, at: "byte \(added + 15)", says: "half of a surrogate pair"),
        .raise("a surrogate in a name", #""params":{"\ud83d":1}"#, at: "byte \(added + 11)", says: "half of a surrogate pair"),
        .raise("an escape that is none", #""params":{"n":"\x41"}"#, at: "byte \(added + 15)", says: "an escape that is none"),
        .raise("an escape that is cut off", #""params":{"n":"\u00"}"#, at: "byte \(added + 15)", says: "an escape that is none"),
        .raise("a line end inside a string", "\"params\":{\"n\":\"a\nb\"}", at: "byte \(added + 16)", says: "control character 0xA"),
        .raise("a zero byte inside a string", "\"params\":{\"n\":\"a\u{0}b\"}", at: "byte \(added + 16)", says: "control character 0x0"),
        BadInput("a string without end", #"{"ref":"r","v":1,"op":"rai"#, at: "byte 26", says: "closing quote"),
        BadInput("a string that escapes its end", #"{"ref":"r","v":1,"op":"rai\""#, at: "byte 28", says: "closing quote"),
        bytes("a byte that no UTF-8 has", [0xFF]),
        bytes("a continuation byte alone", [0x80]),
        bytes("a long form of /", [0xC0, 0xAF]),
        bytes("a long form of zero", [0xE0, 0x80, 0x80]),
        bytes("a surrogate in UTF-8", [0xED, 0xA0, 0x80]),
        bytes("a character above U+10FFFF", [0xF4, 0x90, 0x80, 0x80]),
        bytes("a character that is cut off", [0xF0, 0x9F, 0x98]),
    ]

    private static func bytes(_ name: String, _ wrong: [UInt8]) -> BadInput {
        BadInput(
            name, bytes: Array(#"{"ref":"r","v":1,"x":"a"#.utf8) + wrong + Array(#""}"#.utf8), at: "byte 23",
            says: "not UTF-8")
    }
}
