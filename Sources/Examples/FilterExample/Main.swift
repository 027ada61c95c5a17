import AlertBus
import Foundation

/// A filter that loads its own three lists, in five processes: three providers, a screen, and the page that asks.
///
/// The documentation's page "A filter that owns its data" walks through it.
@main
struct FilterExample {
    static let surface = "lobby/kiosk-1/modal"
    /// Where the arbiter listens.
    static let bus = ProcessInfo.processInfo.environment["ALERTBUS_REQUESTS"] ?? DefaultEndpoint.requests

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            switch words.first {
            case "provider" where words.count == 3: try await Lists.provide(words[1], after: Int(words[2]) ?? 0)
            case "screen" where words.count == 1: try await FilterScreen().run()
            case "page" where words.count == 1: try await Page.run()
            case "page-with-closure" where words.count == 1: try await Page.runWithClosure()
            default: fail("usage: filter-example provider LIST DELAY_MS | screen | page | page-with-closure", code: 2)
            }
        } catch {
            fail("\(error)", code: 1)
        }
    }

    static func fail(_ text: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data((text + "\n").utf8))
        exit(code)
    }

    /// Prints a line at once, also into a pipe.
    static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
