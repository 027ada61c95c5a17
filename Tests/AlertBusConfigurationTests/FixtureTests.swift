import AlertBusConfiguration
import Testing

/// Bad inputs have names: each file in `Fixtures` has one fault, and the message in a comment on its first line.
///
/// A message that ends with an ellipsis is compared up to there, because the parser chose the rest of its words.
@Suite("One fixture for each fault")
struct FixtureTests {
    static let names = Repository.names(in: Repository.fixtures)

    @Test("says what its first line says", arguments: names)
    func message(name: String) throws {
        let path = Repository.fixtures + "/" + name
        let line = try #require(Repository.text(path)).prefix(while: { $0 != "\n" })
        let expected = "\(path):\(line.dropFirst(2))"
        do throws(ConfigurationFaults) {
            _ = try Configuration.load(path: path)
            Issue.record("\(name) has no fault")
        } catch {
            #expect(error.faults.count == 1)
            if expected.hasSuffix("…") {
                #expect(error.description.hasPrefix(expected.dropLast()), "\(error)")
            } else {
                #expect(error.description == expected)
            }
        }
    }

    @Test("Every kind of fault in a text has a fixture")
    func kinds() {
        var kinds = Set<ConfigurationFault.Kind>()
        for name in Self.names {
            do throws(ConfigurationFaults) {
                _ = try Configuration.load(path: Repository.fixtures + "/" + name)
            } catch {
                kinds.formUnion(error.faults.map(\.kind))
            }
        }
        #expect(kinds == Set(ConfigurationFault.Kind.allCases).subtracting([.unreadable]))
    }
}
