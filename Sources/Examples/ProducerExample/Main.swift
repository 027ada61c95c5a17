import AlertBus
import Glibc

/// Asks a person something and prints what became of it: `producer-example [SURFACE [TITLE]]`.
@main
struct ProducerExample {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        let surface = words.first ?? "lobby/kiosk-1/modal"
        let title = words.dropFirst().first ?? "Shall the door stay open?"

        var options = ClientOptions()
        // However long it takes: the alert is asked for until an arbiter answers.
        options.timeout = nil
        let requests = getenv("ALERTBUS_REQUESTS").map { String(cString: $0) } ?? DefaultEndpoint.requests
        let producer = try Producer(requests: requests, name: "producer-example", options: options)

        var config = AlertConfig(title: title, priority: 2, lifetime: .seconds(300))
        config.params = [
            "title": .string(title),
            "actions": [["id": "yes", "label": "Yes", "style": "primary"], ["id": "no", "label": "No"]],
        ]
        // Nobody needs the answer when this program is gone.
        config.closesOnOwnerLoss = true
        let alert = try await producer.raise(surface, "question", config)

        // Every rung as it happens: deferred, shown, covered, resumed, and exactly one end.
        for await receipt in alert.receipts { print("\(receipt.event.rawValue): \(receipt.reason.rawValue)") }
        print(try await alert.outcome.answer?.text ?? "no answer")
        producer.close()
    }
}
