import CTOML

/// A place in a text, counted from 1. Columns count code points.
public struct SourcePosition: Equatable, Hashable, Sendable, Comparable {
    public var line: Int
    public var column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public static func < (a: SourcePosition, b: SourcePosition) -> Bool {
        (a.line, a.column) < (b.line, b.column)
    }
}

/// One value of a TOML document and where it stands.
struct TOMLNode: Equatable {
    enum Value: Equatable {
        case string(String)
        case integer(Int64)
        case float(Double)
        case boolean(Bool)
        /// A date, a time of day, or both. No key takes one.
        case time
        case array([TOMLNode])
        case table([TOMLEntry])
    }

    var value: Value
    var position: SourcePosition
}

struct TOMLEntry: Equatable {
    var key: String
    var keyPosition: SourcePosition
    var node: TOMLNode
}

/// The text is not TOML. The parser stops at the first such place, since nothing after it can be trusted.
struct TOMLSyntaxError: Error, Equatable {
    var message: String
    var position: SourcePosition
}

enum TOMLDocument {
    /// Longer lines are refused: a key of a million dots would overflow the parser's stack.
    static let lineLimit = 4096

    /// The entries of the root table, in the order of the file.
    /// - Throws: `TOMLSyntaxError` at the first place that is not TOML.
    static func parse(_ text: [UInt8]) throws(TOMLSyntaxError) -> [TOMLEntry] {
        try checkLines(text)
        let document = text.withUnsafeBytes { bytes in
            ctoml_parse(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
        }
        defer { ctoml_free(document) }
        var message = ctoml_text()
        var place = ctoml_place()
        guard ctoml_is_valid(document, &message, &place) else {
            throw TOMLSyntaxError(message: string(message), position: position(place))
        }
        var count = 0
        var reader = NodeReader(nodes: UnsafeBufferPointer(start: ctoml_nodes(document, &count), count: count))
        guard case .table(let entries) = reader.next().value else { preconditionFailure("the root of TOML is a table") }
        return entries
    }

    private static func checkLines(_ text: [UInt8]) throws(TOMLSyntaxError) {
        var line = 1
        var length = 0
        for byte in text {
            length += 1
            if byte == UInt8(ascii: "\n") {
                line += 1
                length = 0
            } else if length > lineLimit {
                let position = SourcePosition(line: line, column: 1)
                throw TOMLSyntaxError(message: "the line is longer than \(lineLimit) bytes", position: position)
            }
        }
    }

    fileprivate static func string(_ text: ctoml_text) -> String {
        guard let start = text.bytes else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: text.length), as: UTF8.self)
    }

    fileprivate static func position(_ place: ctoml_place) -> SourcePosition {
        SourcePosition(line: Int(place.line), column: Int(place.column))
    }
}

/// Turns the flat list into a tree. The nodes come in preorder, so one pass is enough.
private struct NodeReader {
    let nodes: UnsafeBufferPointer<ctoml_node>
    var index = 0

    init(nodes: UnsafeBufferPointer<ctoml_node>) { self.nodes = nodes }

    mutating func next() -> TOMLNode {
        let node = nodes[index]
        index += 1
        return TOMLNode(value: value(of: node), position: TOMLDocument.position(node.value_place))
    }

    private mutating func value(of node: ctoml_node) -> TOMLNode.Value {
        switch node.kind {
        case .CTOML_STRING: return .string(TOMLDocument.string(node.string))
        case .CTOML_INTEGER: return .integer(node.integer)
        case .CTOML_FLOAT: return .float(node.number)
        case .CTOML_BOOLEAN: return .boolean(node.boolean)
        case .CTOML_TIME: return .time
        case .CTOML_ARRAY:
            var elements: [TOMLNode] = []
            for _ in 0..<node.children { elements.append(next()) }
            return .array(elements)
        case .CTOML_TABLE:
            var entries: [TOMLEntry] = []
            for _ in 0..<node.children {
                let head = nodes[index]
                let key = TOMLDocument.string(head.key)
                let place = TOMLDocument.position(head.key_place)
                entries.append(TOMLEntry(key: key, keyPosition: place, node: next()))
            }
            return .table(entries.sorted { $0.keyPosition < $1.keyPosition })
        }
    }
}
