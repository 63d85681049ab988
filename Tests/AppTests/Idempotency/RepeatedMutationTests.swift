import GraphQL
import Postgres
import Testing

@testable import App

/// Every mutation that takes a clientMutationId, by the schema: a new one that is not listed fails.
@Suite(.serialized) struct RepeatedMutationTests {
    /// A retry with a password that is not the present one any more is a failed try like others.
    private static func limits(_ limits: inout AccountLimits) {
        limits.mails.quota = 0
        limits.recipientMails.quota = 0
        limits.failuresBeforeBackOff = 1000
    }

    private static let served = Set(((try? OperationRunner.schema.get().schema)?.mutations ?? []).map(\.name))

    @Test func everyMutationIsListed() throws {
        let schema = try OperationRunner.schema.get().schema
        let taking = schema.mutations.filter { schema.takesClientMutationId($0) }.map(\.name)
        let listed = RepeatedMutation.all.map(\.name) + RepeatedMutation.onlyEchoed
        #expect(Set(taking).subtracting(listed) == [])
        #expect(listed.count == Set(listed).count)
        #expect(taking.count == schema.mutations.count)
    }

    /// Sent to two servers at the same moment, and again after the answer was lost: written once, and answered alike.
    @Test(arguments: RepeatedMutation.all.filter { served.contains($0.name) }) func isWrittenOnce(
        _ mutation: RepeatedMutation
    ) async throws {
        let schema = try OperationRunner.schema.get().schema
        let document = try mutation.document(mutation.input, schema)
        let world = try await World.make(writers: 4, Self.limits)
        if let script = mutation.script { try await world.execute(script: script) }
        let other = world.anotherServer()

        let before = try await world.rowCounts()
        let answers = try await concurrently(6) { number in
            try await (number % 2 == 0 ? world : other).send(document, of: mutation)
        }
        #expect(Set(answers.map(\.text)).count == 1, "\(answers.map(\.text))")
        #expect(answers[0].isData, "\(answers[0].text)")
        #expect(answers[0].string(mutation.name, "clientMutationId") == "again")
        let after = try await world.rowCounts()
        #expect(after["idempotency"] == 1)
        #expect(try await world.rows(CounterDrift()) == [])
        let truth = try await Truth(of: world)

        #expect(try await other.send(document, of: mutation).text == answers[0].text)
        #expect(try await world.send(document, of: mutation).text == answers[0].text)
        #expect(try await Truth(of: world) == truth)

        if let input = mutation.otherInput {
            let refused = try await other.send(
                try mutation.document(input, schema), of: mutation, file: mutation.files?.other)
            #expect(refused.code == "BAD_USER_INPUT", "\(refused.text)")
            #expect(try await Truth(of: world) == truth)
        }
        await other.environment.pools.shutdown()
        await world.shutdown()

        // What it writes when it is sent once, without a clientMutationId.
        let once = try await World.make(Self.limits)
        if let script = mutation.script { try await once.execute(script: script) }
        #expect(try await once.rowCounts() == before)
        let unnamed = document.replacing(RepeatedMutation.again, with: "")
        _ = once.statements.take()
        #expect(try await once.send(unnamed, of: mutation).isData)
        let rules = once.statements.take().map(\.commit)
        #expect(rules.contains(.mayBeShared) == RepeatedMutation.thatShareCommits.contains(mutation.name))
        #expect(try await once.rowCounts() == after.merging(["idempotency": 0]) { $1 })
        #expect(try await once.rows(CounterDrift()) == [])
        await once.shutdown()
    }
}

extension Schema {
    fileprivate var mutations: [FieldType] { rootType(for: .mutation).map { self[$0].fields } ?? [] }

    fileprivate func takesClientMutationId(_ mutation: FieldType) -> Bool {
        mutation.arguments.contains { argument in
            if argument.name == "clientMutationId" { return true }
            guard case .inputObject(let input) = self[argument.type.namedType] else { return false }
            return input.field(named: "clientMutationId") != nil
        }
    }
}

extension World {
    fileprivate func send(
        _ document: String, of mutation: RepeatedMutation, file: [UInt8]? = nil
    ) async throws -> Answer {
        var variables = InputObject()
        if let file = file ?? mutation.files?.first {
            let upload = Upload(filename: "x", contentType: nil, bytes: file)
            variables.fields.append((name: "file", value: .upload(upload)))
        }
        return try Answer(try await run(document, variables, as: mutation.person))
    }

    /// Rows of every table but of those that count tries, of which each is one.
    fileprivate func rowCounts() async throws -> [String: Int64] {
        Dictionary(try await rows(RowCounts()), uniquingKeysWith: { first, _ in first })
    }
}

private struct RowCounts: Statement {
    var sql: SQL {
        """
        select c.oid::regclass::text, (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %s', \
        c.oid::regclass), false, true, '')))[1]::text::bigint from pg_class c \
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition \
        and relname not in ('sign_in_attempts', 'rate_limits')
        """
    }

    func decode(_ row: Row) -> (String, Int64) { (row.string(0), row.int64(1)) }
}
