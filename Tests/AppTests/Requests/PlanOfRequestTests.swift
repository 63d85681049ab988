import GraphQL
import Testing

@testable import App

@Suite(.timeLimit(.minutes(10))) struct PlanOfRequestTests {
    private func steps(_ text: String, _ context: RequestContext) async throws -> [InputValue] {
        let schema = try OperationRunner.schema.get()
        let prepared = try PreparedOperation(parse(Source(text)), operationName: nil, schema: schema)
        let plan = try await context.statementPlan(isForEverybody: true)
        let response = try await GraphQL.execute(
            prepared.plan(for: prepared.mask(for: [:])), variables: [:], context: context, observer: plan)
        #expect(response.errors.isEmpty)
        let json = try parseJSON(response.body, maxDepth: 32)
        guard case .list(let steps)? = json["extensions"]?["plan"]?["steps"] else { return [] }
        return steps
    }

    private func summary(_ steps: [InputValue]) -> [String] {
        steps.map { step in
            guard case .string(let name)? = step["name"], case .string(let path)? = step["path"],
                case .int(let level)? = step["level"], case .int(let rows)? = step["rows"]
            else { return "incomplete" }
            return "\(level) \(path) \(name) \(rows)"
        }
    }

    @Test func namesStatementsWithTheirFieldsAndRows() async throws {
        let world = try await World.make()
        let query = "{ feed(first: 2) { nodes { id author { username } } } viewer { user { username } } }"
        let steps = try await steps(query, world.context(as: .ana))
        let summary = summary(steps)
        #expect(summary.contains { $0.hasPrefix("1 feed ") && $0.hasSuffix(" 3") }, "\(summary)")
        #expect(summary.contains("1 viewer CurrentViewer 1"), "\(summary)")
        for step in steps {
            guard let start = step["startedAt"]?.number, let time = step["duration"]?.number else {
                #expect(Bool(false), "times")
                continue
            }
            #expect(start > 0 && time > 0 && time < 60_000)
        }
        await world.shutdown()
    }

    @Test func aMutationIsNamedAndShowsNoValues() async throws {
        let world = try await World.make()
        let secret = "a text that nobody else may read"
        let text = "mutation { createThought(input: {category: FUNNY, text: \"\(secret)\"}) { thought { likeCount } } }"
        let steps = try await steps(text, world.context(as: .ana))
        #expect(summary(steps).contains { $0.hasPrefix("1 createThought CreateThought ") }, "\(summary(steps))")
        let shown = "\(steps)"
        #expect(!shown.contains(secret))
        #expect(!shown.contains("select ") && !shown.contains("insert ") && !shown.contains("$1"))
        await world.shutdown()
    }

    @Test func isRefusedToAllButAdministrators() async throws {
        let world = try await World.make()
        for person in Person.allCases {
            let error = await #expect(throws: ExecutionError.self) {
                _ = try await world.context(as: person).statementPlan(isForEverybody: false)
            }
            #expect(error?.extensions["code"] == .string("FORBIDDEN"))
        }
        try await world.execute(script: "update users set role = 'ADMIN' where username = 'ana'")
        _ = try await world.context(as: .ana).statementPlan(isForEverybody: false)
        await world.shutdown()
    }
}

extension InputValue {
    fileprivate subscript(name: String) -> InputValue? {
        if case .object(let object) = self { object[name] } else { nil }
    }

    fileprivate var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .float(let value): value
        default: nil
        }
    }
}
