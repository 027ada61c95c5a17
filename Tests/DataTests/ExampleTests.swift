import AlertBusModel
import Glibc
import Testing

/// The example of the documentation, each role a process of its own.
@Suite("The filter example", .serialized, .timeLimit(.minutes(3)))
struct ExampleTests {
    private struct Cast {
        let arbiter: ArbiterProgram
        let providers: [Program]
        let screen: Program

        init(delays: [Int]) async throws {
            arbiter = try await ArbiterProgram()
            let requests = arbiter.requests
            providers = try zip(["regions", "departments", "houses"], delays).map { name, delay in
                try Program("filter-example", ["provider", name, "\(delay)"], requests: requests)
            }
            screen = try Program("filter-example", ["screen"], requests: requests, hasInput: true)
            for provider in providers { try await provider.waitForOutput("connected") }
            try await screen.waitForOutput("connected")
        }

        func page(_ role: String = "page") throws -> Program {
            try Program("filter-example", [role], requests: arbiter.requests)
        }
    }

    static let first = "show filter over_full_screen: regions 1 [2] 3, departments [\"sales\"] \"service\", houses 21 [22]"

    @Test(
        "Three providers with different delays; the page prints what was chosen, in one completion",
        arguments: ["page", "page-with-closure"])
    func chosen(role: String) async throws {
        let cast = try await Cast(delays: [50, 150, 300])
        let page = try cast.page(role)
        try await cast.screen.waitForOutput(Self.first)
        cast.screen.type("regions 3")
        try await cast.screen.waitForOutput("update updated: regions 1 [2] 3, departments [\"sales\"] \"service\", houses 31")
        cast.screen.type("houses 31")
        cast.screen.type("ok")
        #expect(try await page.wait() == 0)
        #expect(page.output == "regions: 3\ndepartments: \"sales\"\nhouses: 31\n")
        #expect(page.errors.isEmpty)
        try await cast.screen.waitForOutput("hide filter answered")
        #expect(cast.screen.output.components(separatedBy: "show filter").count == 2)
    }

    @Test("It appears only when the slowest is there")
    func slow() async throws {
        let cast = try await Cast(delays: [0, 0, 900])
        let start = milliseconds()
        let page = try cast.page()
        try await cast.arbiter.waitForState("filter", "loading")
        try await cast.screen.waitForOutput(Self.first)
        #expect(milliseconds() - start >= 900)
        cast.screen.type("ok")
        #expect(try await page.wait() == 0)
        #expect(page.output == "regions: 2\ndepartments: \"sales\"\nhouses: 22\n")
    }

    @Test("When a list fails, the page says which and why")
    func failure() async throws {
        let cast = try await Cast(delays: [0, 0, 60_000])
        let page = try cast.page()
        try await cast.arbiter.waitForState("filter", "loading")
        cast.providers[2].send(SIGKILL)
        #expect(try await cast.providers[2].wait() == 128 + SIGKILL)
        let failing = try await cast.arbiter.provider("houses", "--exec", "echo the archive is closed >&2; exit 4")
        #expect(try await page.wait() == 1)
        #expect(page.errors.contains("houses: the command ended with 4: the archive is closed"), "\(page.errors)")
        #expect(failing.errors.contains("the archive is closed"))
    }
}
