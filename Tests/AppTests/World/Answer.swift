import GraphQL
import Postgres
import TestSupport

@testable import App

/// A response, read back.
struct Answer: Sendable {
    let text: String
    private let json: InputValue

    init(_ text: String) throws {
        self.text = text
        json = try parseJSON(Array(text.utf8))
    }

    /// The value below `data` at a path of response names.
    subscript(path: String...) -> InputValue? { value(["data"] + path) }

    func string(_ path: String...) -> String? {
        if case .string(let text) = value(["data"] + path) { text } else { nil }
    }

    func int(_ path: String...) -> Int? {
        if case .int(let number) = value(["data"] + path) { number } else { nil }
    }

    private func value(_ path: [String]) -> InputValue? {
        path.reduce(json) { value, name in
            if case .object(let object) = value { object[name] } else { nil }
        }
    }

    /// The first error's code.
    var code: String? {
        if case .string(let code) = errorExtension("code") { code } else { nil }
    }

    var reason: String? {
        if case .string(let reason) = errorExtension("reason") { reason } else { nil }
    }

    /// In seconds.
    var retryAfter: Int? {
        if case .int(let seconds) = errorExtension("retryAfter") { seconds } else { nil }
    }

    private func errorExtension(_ name: String) -> InputValue? {
        guard case .list(let errors) = value(["errors"]), case .object(let error) = errors.first,
            case .object(let extensions) = error["extensions"]
        else { return nil }
        return extensions[name]
    }

    /// The codes of the only root field's userErrors, each with its field.
    var userErrors: [String] {
        guard case .object(let data) = value(["data"]), case .object(let payload) = data.fields.first?.value,
            case .list(let errors) = payload["userErrors"]
        else { return [] }
        return errors.map { error in
            guard case .object(let error) = error, case .string(let code) = error["code"] else { return "?" }
            guard case .list(let path) = error["field"], case .string(let field) = path.last else { return code }
            return "\(code) \(field)"
        }
    }

    /// Neither an error nor a userError.
    var isData: Bool { code == nil && value(["errors"]) == nil && userErrors.isEmpty }
}

extension World {
    func ask(_ text: String, as person: Person) async throws -> Answer { try await ask(text, context(as: person)) }

    func ask(_ text: String, _ context: RequestContext) async throws -> Answer {
        try Answer(try await run(text, InputObject(), context))
    }

    /// The same world with some of its environment changed.
    func with(_ change: (inout EnvironmentParts) -> Void) -> World {
        World(environment: environment.with(change), database: database, statements: statements, place: place)
    }

    /// A number from a superuser's view.
    func number(_ sql: SQL) async throws -> Int { Int(try await rows(Numbers(query: sql)).first ?? -1) }

    /// Waits until so many statements wait for a lock.
    func untilWaiting(_ count: Int) async throws {
        let waiting: SQL = """
            select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            """
        try await eventually("\(count) statements wait for a lock") {
            try await database.use { try await $0.run(Numbers(query: waiting)) }[0] >= count
        }
    }

    /// A column of texts from a superuser's view.
    func texts(_ sql: SQL) async throws -> [String] { try await rows(Texts(sql: sql)) }
}

private struct Numbers: Statement {
    let query: SQL

    var sql: SQL { "select number::bigint from (\(query)) as numbers (number)" }

    func decode(_ row: Row) -> Int64 { row.int64(0) }
}

struct Texts: Statement {
    let sql: SQL
    func decode(_ row: Row) -> String { row.string(0) }
}

/// The ids of `world.sql`, by their last digits.
func worldUUID(_ low: UInt64) -> UUID { UUID(high: 0x019b_7600_0000_7000, low: 0x8000_0000_0000_0000 | low) }

func worldID(_ kind: TypeID.Kind, _ low: UInt64) -> String { TypeID(kind, worldUUID(low)).description }

/// All at once; the answers in the order of the requests.
func concurrently<Output: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Output
) async throws -> [Output] {
    try await withThrowingTaskGroup(of: (Int, Output).self) { group in
        for number in 0..<count { group.addTask { (number, try await body(number)) } }
        var outputs: [Int: Output] = [:]
        for try await (number, output) in group { outputs[number] = output }
        return (0..<count).compactMap { outputs[$0] }
    }
}
