import Foundation

extension ReportError {
    /// Says in the terms of the file what Foundation found.
    init(_ error: any Error) {
        switch error {
        case let error as ReportError: self = error
        case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
            let cause = (context.underlyingError as NSError?)?.userInfo[NSDebugDescriptionErrorKey] as? String
            self = .notJSON(cause ?? context.debugDescription)
        case DecodingError.dataCorrupted(let context):
            self = .invalid(place: Self.place(context.codingPath), fault: context.debugDescription)
        case DecodingError.keyNotFound(let key, let context):
            self = .invalid(place: Self.place(context.codingPath + [key]), fault: "is missing")
        case DecodingError.valueNotFound(_, let context):
            self = .invalid(place: Self.place(context.codingPath), fault: "is null")
        case DecodingError.typeMismatch(_, let context):
            self =
                context.codingPath.isEmpty
                ? .notAReport : .invalid(place: Self.place(context.codingPath), fault: "is of the wrong type")
        default: self = .notJSON("\(error)")
        }
    }

    /// The same in what is JSON for certain: Foundation says of a number that does not fit its type that it is no JSON, and not where.
    init(inReport error: any Error) {
        self.init(error)
        if case .notJSON = self {
            self = .invalid(place: "a number", fault: "is negative, has a fraction or is too large where that cannot be")
        }
    }

    /// `timeline[3].sent`
    private static func place(_ path: [any CodingKey]) -> String {
        path.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
