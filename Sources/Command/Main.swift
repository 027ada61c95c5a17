import AlertBusConfiguration
import AlertBusService
import Glibc

@main
struct Main {
    static func main() {
        var configuration = Configuration()
        if CommandLine.arguments.count > 2 { configuration.arbiter.requests = try! ListenAddress(CommandLine.arguments[2]) }
        if CommandLine.arguments.count > 3 { configuration.arbiter.journal = .file(path: CommandLine.arguments[3]) }
        let service = try! Service(configuration: configuration)
        print("ready \(service.requestsEndpoint()) feed \(service.feedEndpoint() ?? "none")")
        fflush(nil)
        try! service.run()
    }
}
