// Screens in a process of their own, for the tests of healing.
//
//     HealingSupport REQUESTS SCOPES…
//
// Each argument after the address is one subscriber with a connection of its own; commas part its scopes. Every line on standard
// input is answered with one line of JSON that tells what the subscribers have drawn. The end of the input ends the process.

import AlertBus
import AlertBusWire
import Glibc

@main
enum HealingSupport {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let requests = arguments.first, arguments.count > 1 else {
            print("usage: HealingSupport REQUESTS SCOPES…")
            exit(2)
        }
        var subscribers: [(subscriber: Subscriber, witness: Witness)] = []
        for scopes in arguments.dropFirst() {
            let witness = Witness()
            var options = ClientOptions()
            options.reconnect = .milliseconds(200)
            do throws(ClientError) {
                let subscriber = try Subscriber(
                    requests: requests, scopes: scopes.split(separator: ",").map(String.init), options: options
                ) { witness.saw($0) }
                subscribers.append((subscriber, witness))
            } catch {
                print("\(error)")
                exit(1)
            }
        }
        while readLine() != nil {
            print(JSONValue.array(subscribers.map { $0.witness.report($0.subscriber) }).text)
            fflush(nil)
        }
        exit(0)
    }
}
