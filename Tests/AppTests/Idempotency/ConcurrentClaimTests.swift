import Postgres
import Synchronization
import Testing

@testable import App

/// Mutations about one object that run at once, each with a clientMutationId of its own: the outcome that each stores
/// is the one that it answered with.
@Suite struct ConcurrentClaimTests {
    private static let target = "{apns: {deviceToken: \"\(String(repeating: "cd", count: 32))\", topic: \"app\"}}"

    private static let waiting: SQL = """
        select count(*) from pg_locks where not granted \
        and database = (select oid from pg_database where datname = current_database())
        """

    /// Runs the mutations so that none writes to the table before all have begun.
    private static func atOnce(
        _ world: World, writing table: StaticString, _ mutations: [(text: String, person: Person)]
    ) async throws -> [Answer] {
        let holder = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await holder.execute(script: "begin; lock table \(table) in share mode")
        let answered = Atomic(0)
        async let answers = concurrently(mutations.count) { number in
            defer { answered.add(1, ordering: .relaxed) }
            return try await ask(world, mutations[number])
        }
        // One that has answered already does not wait for the table.
        while try await world.number(waiting) + answered.load(ordering: .relaxed) < mutations.count {
            try await Task.sleep(for: .milliseconds(5))
        }
        try await holder.execute(script: "commit")
        await holder.close()
        return try await answers
    }

    private static func ask(_ world: World, _ mutation: (text: String, person: Person)) async throws -> Answer {
        try await world.ask("mutation { \(mutation.text) }", as: mutation.person)
    }

    private static func report(_ id: String) -> String {
        """
        reportContent(input: {subjectId: "\(worldID(.thought, 0x201))", reason: SPAM, clientMutationId: "\(id)"}) \
        { report { id } userErrors { code } }
        """
    }

    private static func register(_ id: String) -> String {
        "registerPushDevice(input: {target: \(target), clientMutationId: \"\(id)\"}) { pushDevice { id } userErrors { code } }"
    }

    @Test func aRetryOfAReportShowsIt() async throws {
        let world = try await World.make(writers: 8)
        let mutations = (0..<3).map { (text: Self.report("r\($0)"), person: Person.ben) }
        let answers = try await Self.atOnce(world, writing: "reports", mutations)
        #expect(Set(answers.map { $0.string("reportContent", "report", "id") }).count == 1)
        for (mutation, answer) in zip(mutations, answers) {
            #expect(answer.string("reportContent", "report", "id") != nil)
            #expect(try await Self.ask(world, mutation).text == answer.text)
        }
        await world.shutdown()
    }

    @Test func aRetryOfARegistrationShowsTheDevice() async throws {
        let world = try await World.make(writers: 8)
        let mutations = (0..<3).map { (text: Self.register("d\($0)"), person: Person.ben) }
        let answers = try await Self.atOnce(world, writing: "push_devices", mutations)
        #expect(Set(answers.map { $0.string("registerPushDevice", "pushDevice", "id") }).count == 1)
        for (mutation, answer) in zip(mutations, answers) {
            #expect(answer.string("registerPushDevice", "pushDevice", "id") != nil)
            #expect(try await Self.ask(world, mutation).text == answer.text)
        }
        await world.shutdown()
    }

    /// The device goes from one account to the other, whichever is the first.
    @Test func eachOfTwoAccountsRegistersTheDevice() async throws {
        let world = try await World.make(writers: 8)
        let answers = try await Self.atOnce(
            world, writing: "push_devices", [(Self.register("d"), .ana), (Self.register("d"), .ben)])
        #expect(answers.allSatisfy { $0.string("registerPushDevice", "pushDevice", "id") != nil })
        #expect(try await world.number("select count(*) from push_devices where topic = 'app'") == 1)
        await world.shutdown()
    }
}
