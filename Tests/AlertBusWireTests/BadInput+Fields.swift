// Each fixture is one line.
// swift-format-ignore-file

extension BadInput {
    /// JSON objects that do not follow the protocol.
    static let fields: [BadInput] = envelope + names + alerts + commands + providers

    private static let envelope: [BadInput] = [
        BadInput("no version", #"{"op":"ping","ref":"r"}"#, at: "v", says: "expected the protocol version 1, got no such field"),
        BadInput("a version in quotes", #"{"v":"1","op":"ping","ref":"r"}"#, at: "v", says: #"got "1""#),
        BadInput("a version with a point", #"{"v":1.0,"op":"ping","ref":"r"}"#, at: "v", says: "got 1.0"),
        BadInput("another version", #"{"v":2,"op":"ping","ref":"r"}"#, at: "v", says: "version 2", .unsupported),
        .message("no op", #""x":1"#, at: "op", says: "expected a string, got no such field"),
        .message("an op that is no string", #""op":7"#, at: "op", says: "expected a string, got 7"),
        .message("an unknown op", #""op":"frobnicate""#, at: "op", says: #""frobnicate" is not known"#, .unsupported),
        .message("an op of another case", #""op":"Ping""#, at: "op", says: #""Ping" is not known"#, .unsupported),
        .message("an op with a zero behind it", #""op":"ping\u0000""#, at: "op", says: "is not known", .unsupported),
        .message("the op of an answer", #""op":"accepted""#, at: "op", says: "is not known", .unsupported),
        BadInput("a ref that is an object", #"{"v":1,"op":"ping","ref":{}}"#, at: "ref", says: "a string or an integer", keepsRef: false),
        BadInput("a ref with a point", #"{"v":1,"op":"ping","ref":1.5}"#, at: "ref", says: "got 1.5", keepsRef: false),
        BadInput("a ref that is null", #"{"v":1,"op":"ping","ref":null}"#, at: "ref", says: "got null", keepsRef: false),
        BadInput("a ref of 129 bytes", #"{"v":1,"op":"ping","ref":"\#(String(repeating: "r", count: 127))"}"#, at: "ref", says: "at most 128 bytes", keepsRef: false),
        .message("an empty token", #""op":"ping","once":"""#, at: "once", says: "must not be empty"),
        .message("a token that is a number", #""op":"ping","once":1"#, at: "once", says: "expected a string, got 1"),
        .message("a producer that is null", #""op":"ping","producer":null"#, at: "producer", says: "expected a string, got null"),
        .message("a producer with a line end", #""op":"ping","producer":"a\nb""#, at: "producer", says: "control character at byte 1"),
        .message("the last of two fields counts", #""op":"ping","op":7"#, at: "op", says: "got 7"),
    ]

    private static let names: [BadInput] = [
        .message("no surface", #""op":"raise","key":"k""#, at: "surface", says: "expected a surface path, got no such field"),
        .message("a surface that is a number", #""op":"raise","surface":1,"key":"k""#, at: "surface", says: "got 1"),
        .message("an empty surface", #""op":"raise","surface":"","key":"k""#, at: "surface", says: "must not be empty"),
        .message("a surface with a slash at its end", #""op":"raise","surface":"a/","key":"k""#, at: "surface", says: "must not end with a slash"),
        .message("a surface with a slash at its start", #""op":"raise","surface":"/a","key":"k""#, at: "surface", says: "empty segment at byte 0"),
        .message("a surface with two slashes", #""op":"raise","surface":"a//b","key":"k""#, at: "surface", says: "empty segment at byte 2"),
        .message("a surface of 256 bytes", #""op":"raise","surface":"\#(String(repeating: "s", count: 256))","key":"k""#, at: "surface", says: "has 256 bytes; the limit is 255"),
        .message("a scope with two slashes at its end", #""op":"sync","surface":"a//""#, at: "surface", says: "must not end with a slash"),
        .message("no key", #""op":"raise","surface":"s""#, at: "key", says: "expected a string, got no such field"),
        .message("a key of 256 bytes", #""op":"raise","surface":"s","key":"\#(String(repeating: "é", count: 128))""#, at: "key", says: "has 256 bytes"),
        .message("a key with a zero", #""op":"raise","surface":"s","key":"a\u0000b""#, at: "key", says: "control character at byte 1"),
        .message("a key with DEL", "\"op\":\"raise\",\"surface\":\"s\",\"key\":\"abcdefgh\u{7f}\"", at: "key", says: "control character at byte 8"),
        .message("a key with a C1 control", "\"op\":\"raise\",\"surface\":\"s\",\"key\":\"a\u{85}\"", at: "key", says: "control character"),
    ]

    private static let alerts: [BadInput] = [
        .raise("a priority in words", #""priority":"high""#, at: "priority", says: #"expected an integer from 0 to 255, got "high""#),
        .raise("a priority of 256", #""priority":256"#, at: "priority", says: "from 0 to 255, got 256"),
        .raise("a priority below 0", #""priority":-1"#, at: "priority", says: "got -1"),
        .raise("a priority of -0", #""priority":-0"#, at: "priority", says: "got -0"),
        .raise("a priority with a point", #""priority":3.0"#, at: "priority", says: "got 3.0"),
        .raise("a priority with an exponent", #""priority":3e0"#, at: "priority", says: "got 3e0"),
        .raise("a priority of more than 64 bits", #""priority":18446744073709551616"#, at: "priority", says: "got 18446744073709551616"),
        .raise("a priority of 40 digits", #""priority":1000000000000000000000000000000000000000"#, at: "priority", says: "an integer"),
        .raise("intercept as a number", #""intercept":1"#, at: "intercept", says: "expected true or false, got 1"),
        .raise("activate as a string", #""activate":"true""#, at: "activate", says: #"got "true""#),
        .raise("update as null", #""update":null"#, at: "update", says: "got null"),
        .raise("breakthrough as an array", #""breakthrough":[ ]"#, at: "breakthrough", says: "got []"),
        .raise("no time for loading", #""load_timeout_ms":0"#, at: "load_timeout_ms", says: "from 1 to 3600000, got 0"),
        .raise("a lifetime of 0", #""ttl_ms":0"#, at: "ttl_ms", says: "from 1 to 31536000000, got 0"),
        .raise("a lifetime over a year", #""ttl_ms":31536000001"#, at: "ttl_ms", says: "got 31536000001"),
        .raise("a display time of 0", #""display_ms":0"#, at: "display_ms", says: "from 1 to"),
        .raise("a least show time in quotes", #""min_show_ms":"5""#, at: "min_show_ms", says: "from 0 to"),
        .raise("an unknown word for owner loss", #""on_owner_loss":"drop""#, at: "on_owner_loss", says: #"expected "keep" or "close", got "drop""#),
        .raise("owner loss as a boolean", #""on_owner_loss":true"#, at: "on_owner_loss", says: "got true"),
        .raise("a presentation of 65 bytes", #""presentation":"\#(String(repeating: "p", count: 65))""#, at: "presentation", says: "at most 64 bytes"),
        .raise("an empty presentation", #""presentation":"""#, at: "presentation", says: "must not be empty"),
        .raise("params as an array", #""params":[1, 2]"#, at: "params", says: "expected an object, got [1,2]"),
        .raise("params as null", #""params":null"#, at: "params", says: "got null"),
        .raise("sources as an object", #""sources":{}"#, at: "sources", says: "expected an array, got {}"),
        .raise("a source that is a string", #""sources":["a"]"#, at: "sources/0", says: #"expected an object, got "a""#),
        .raise("a source without a name", #""sources":[{"name":"a"},{}]"#, at: "sources/1/name", says: "got no such field"),
        .raise("two sources of one name", #""sources":[{"name":"a"},{"name":"a"}]"#, at: "sources/1/name", says: "another source of this name"),
        .raise("a source that waits for no time", #""sources":[{"name":"a","timeout_ms":0}]"#, at: "sources/0/timeout_ms", says: "from 1 to 3600000"),
        .raise("optional as a number", #""sources":[{"name":"a","optional":0}]"#, at: "sources/0/optional", says: "expected true or false"),
        .raise("selected that is no array", #""sources":[{"name":"a","selected":1}]"#, at: "sources/0/selected", says: "expected an array"),
        .raise("a selected id that is an object", #""sources":[{"name":"a","selected":[1,{"id":2}]}]"#, at: "sources/0/selected/1", says: "a number or a string"),
        .raise("65 sources", #""sources":[\#((0..<65).map { #"{"name":"\#($0)"}"# }.joined(separator: ","))]"#, at: "sources", says: "more than 64 entries", .overLimit),
    ]

    private static let commands: [BadInput] = [
        .message("an update without a key", #""op":"update","surface":"s""#, at: "key", says: "no such field"),
        .message("a revision of 0", #""op":"withdraw","surface":"s","key":"k","revision":0"#, at: "revision", says: "from 1 to 4294967295"),
        .message("a revision of more than 32 bits", #""op":"update","surface":"s","key":"k","revision":4294967296"#, at: "revision", says: "got 4294967296"),
        .message("an instance in quotes", #""op":"dismiss","surface":"s","instance":"1""#, at: "instance", says: "expected an integer"),
        .message("an instance of 0", #""op":"status","surface":"s","instance":0"#, at: "instance", says: "from 1 to"),
        .message("a key and an instance", #""op":"why","surface":"s","instance":1,"key":"k""#, at: "instance", says: "got both"),
        .message("an answer without a value", #""op":"answer","surface":"s""#, at: "answer", says: "expected any JSON value, got no such field"),
        .message("chosen ids that are no array", #""op":"answer","surface":"s","answer":{"selected":{"a":1}}"#, at: "answer/selected/a", says: "expected an array, got 1"),
        .message("a chosen id that is null", #""op":"answer","surface":"s","answer":{"selected":{"a":[null]}}"#, at: "answer/selected/a/0", says: "got null"),
        .message("ids chosen from 65 sources", #""op":"answer","surface":"s","answer":{"selected":{\#((0..<65).map { #""\#($0)":[]"# }.joined(separator: ","))}}"#, at: "answer/selected", says: "more than 64 fields", .overLimit),
        .message("shown as a word", #""op":"clear","surface":"s","shown":"yes""#, at: "shown", says: "expected true or false"),
        .message("a refresh without a source", #""op":"refresh","surface":"s""#, at: "source", says: "no such field"),
        .message("subscribers as a number", #""op":"list","surface":"s","subscribers":1"#, at: "subscribers", says: "expected true or false"),
        .message("drawn without an epoch", #""op":"drawn","surface":"s","seq":1"#, at: "epoch", says: "no such field"),
        .message("drawn with a seq below 0", #""op":"drawn","surface":"s","epoch":1,"seq":-1"#, at: "seq", says: "got -1"),
    ]

    private static let providers: [BadInput] = [
        .message("provide without a name", #""op":"provide""#, at: "name", says: "no such field"),
        .message("loaded without a load", #""op":"loaded","rows":[]"#, at: "load", says: "no such field"),
        .message("loaded without rows", #""op":"loaded","load":1"#, at: "rows", says: "or the field error"),
        .message("rows and an error", #""op":"loaded","load":1,"rows":[],"error":"e""#, at: "error", says: "got both"),
        .message("an error that is a number", #""op":"loaded","load":1,"error":5"#, at: "error", says: "expected a string"),
        .message("an error of 1025 bytes", #""op":"loaded","load":1,"error":"\#(String(repeating: "e", count: 1025))""#, at: "error", says: "at most 1024 bytes"),
        .message("rows that are no array", #""op":"loaded","load":1,"rows":{}"#, at: "rows", says: "expected an array"),
        .message("a row that is a number", #""op":"loaded","load":1,"rows":[1]"#, at: "rows/0", says: "expected an object, got 1"),
        .message("a row without an id", #""op":"loaded","load":1,"rows":[{"id":1},{"name":"n"}]"#, at: "rows/1/id", says: "no such field"),
        .message("a row whose id is true", #""op":"loaded","load":1,"rows":[{"id":true}]"#, at: "rows/0/id", says: "got true"),
        .message("an id of 256 bytes", #""op":"loaded","load":1,"rows":[{"id":"\#(String(repeating: "i", count: 254))"}]"#, at: "rows/0/id", says: "at most 255 bytes"),
        .message("a row that says selected", #""op":"loaded","load":1,"rows":[{"id":1,"selected":true}]"#, at: "rows/0/selected", says: "leave the field out"),
        .message("two rows of one id", #""op":"loaded","load":1,"rows":[{"id":"é"},{"id":"\u00e9"}]"#, at: "rows/1/id", says: "another row"),
    ]
}
