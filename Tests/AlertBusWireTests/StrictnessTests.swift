import AlertBusModel
import AlertBusWire
import Testing

/// What is let through on purpose, and how it is kept.
@Suite struct StrictnessTests {
    private func decode(_ text: String) throws -> Request { try RequestDecoder().decode(Array(text.utf8)) }

    private func raise(_ fields: String) throws -> Raise {
        guard case .command(.raise(let raise)) = try decode(BadInput.raiseText(fields)).body else {
            throw WireFault(.malformed, at: "op", "not a raise")
        }
        return raise
    }

    @Test func defaultsAreThoseOfTheModel() throws {
        let request = try decode(#"{"v":1,"op":"raise","surface":"s","key":"k"}"#)
        #expect(request == Request(.command(.raise(Raise(surface: "s", key: "k", content: AlertContent())))))
        #expect(request.ref.isEmpty && request.once == nil && request.producer == nil)
    }

    @Test(arguments: [
        #"{"n":-0}"#, #"{"n":123456789012345678901234567890}"#, #"{"n":1e-400}"#, #"{"n":1E+2}"#, #"{"n":1.50}"#,
        #"{"t":"\u0000"}"#, #"{"t":"\ud83d\ude00"}"#, #"{"t":"\u00e9\/"}"#, #"{"t":1,"t":2}"#, #"{}"#, #"{"":null}"#,
        "{\"t\":\"\u{7f}\u{2028}😀\"}",
    ])
    func paramsAreKeptAsTheyAreWritten(json: String) throws {
        #expect(try raise(#""params":\#(json)"#).content.params == Array(json.utf8))
    }

    @Test func whiteSpaceBetweenTokensGoes() throws {
        let raise = try raise("\"params\" : { \"a b\" :\t[ 1 , { } , [ ] ,\r\n\" x \" , null ] }")
        #expect(raise.content.params == Array(#"{"a b":[1,{},[]," x ",null]}"#.utf8))
    }

    @Test func sixtyFourLevelsAreRead() throws {
        let deep = #"{"a":"# + String(repeating: "[", count: 62) + String(repeating: "]", count: 62) + "}"
        #expect(try raise(#""params":\#(deep)"#).content.params == Array(deep.utf8))
    }

    @Test func unknownFieldsAreIgnored() throws {
        #expect(
            try raise(#""colour":{"op":"ping"},"Priority":9,"":1,"a-name-of-more-than-16-bytes":[]"#)
                == Raise(surface: "s", key: "k"))
    }

    @Test func theLastOfTwoFieldsCounts() throws {
        #expect(try raise(#""priority":"high","priority":3,"key":"last""#).key == "last")
    }

    @Test func namesOfFieldsMayBeEscaped() throws {
        #expect(try decode(#"{"\u0076":1,"o\u0070":"pi\u006eg"}"#) == Request(.ping))
    }

    @Test func namesAreReadWithoutTheirEscapes() throws {
        #expect(try raise(#""key":"d\u00f6\u006fr \ud83d\ude00 \"\/""#).key == "döor 😀 \"/")
    }

    @Test func surrogatePairsAreReadFromTheFirstToTheLast() throws {
        #expect(
            try raise(#""key":"\ud800\udc00\uDBFF\uDFFF\ue000\ud7ff""#).key == "\u{10000}\u{10FFFF}\u{E000}\u{D7FF}")
    }

    @Test func namesOf255BytesAreRead() throws {
        let name = String(repeating: "n", count: 255)
        #expect(try raise(#""key":"\#(name)""#).key == name)
    }

    @Test(arguments: [#""7""#, "7", "-0", "123456789012345678901234567890", #""\u00e9 ""#])
    func refsAreKeptAsTheyAreWritten(ref: String) throws {
        #expect(try decode(#"{"v":1,"op":"ping","ref": \#(ref) }"#).ref == Array(ref.utf8))
    }

    @Test func anEmptyProducerMayBeSaid() throws {
        #expect(try decode(#"{"v":1,"op":"ping","producer":""}"#).producer == "")
    }

    @Test func stringIdsAreEqualWhenTheirCharactersAre() throws {
        let sources = try raise(#""sources":[{"name":"a","selected":["\u00e9","é",1.0,"\/"]}]"#).content.sources
        #expect(sources.first?.selected == ["\"é\"", "\"é\"", "1.0", "\"/\""].map { Array($0.utf8) })
    }

    @Test func anAnswerMayBeAnything() throws {
        for json in ["null", "7", #""selected""#, "[]", #"{"selected":3}"#, #"{"selected":null}"#] {
            let request = try decode(#"{"v":1,"op":"answer","surface":"s","answer":\#(json)}"#)
            #expect(
                request.body == .command(.answer(surface: "s", .top, revision: nil, Answer(json: Array(json.utf8)))))
        }
    }

    @Test func namesThatWereSeenBeforeStayApart() throws {
        let decoder = RequestDecoder()
        for round in 0..<3 {
            for index in 0..<3000 {
                let surface = "hall/kiosk-\(index)/modal"
                let request = Request(.drawn(surface: surface, epoch: UInt64(round), seq: 1), producer: "gate-\(index)")
                var writer = MessageWriter()
                writer.request(request)
                #expect(try decoder.decode(writer.bytes) == request)
            }
        }
    }

    @Test func unknownOpsOfTheArbiterAreTold() throws {
        let decoder = ServerMessageDecoder()
        #expect(try decoder.decode(Array(#"{"v":1,"op":"fanfare","ref":1}"#.utf8)) == .unknown(op: "fanfare"))
        #expect(try decoder.decode(Array(#"{"v":1,"op":"unload","load":5,"why":{}}"#.utf8)) == .unload(load: 5))
    }

    @Test func valuesAreFoundByName() throws {
        let value = try JSONValue(parsing: #" { "a" : 1 , "b":[true,"x"], "a":2 } "#)
        #expect(value["a"]?.integer == 2 && value["c"] == nil)
        #expect(value["b"]?.array == [true, "x"])
        #expect(value.text == #"{"a":1,"b":[true,"x"],"a":2}"#)
    }
}
