import GraphQL
import Postgres

extension RequestContext {
    /// One segment on a write connection: settings, claim, write, result. One round trip; a replay takes two, and so does
    /// an id that exists.
    func perform<M: Mutation>(_ type: M.Type, _ arguments: InputObject) async throws -> Payload<M.Object> {
        let viewer = try requireViewer()
        // A file that nothing keeps must not look as if it had been kept.
        if let image = arguments["image"], image != .null {
            throw ExecutionError("Images cannot be uploaded to this server yet.", code: .badUserInput)
        }
        let input: InputObject = try arguments.decode("input")
        let clientMutationId = try Claim.clientMutationId(of: input)
        let mutation = try M(input, self)
        func failed(_ errors: [UserError]) -> Payload<M.Object> {
            Payload(object: nil, clientMutationId: clientMutationId, userErrors: errors)
        }
        guard mutation.userErrors.isEmpty else {
            return failed(mutation.userErrors + (try await stored(mutation.storedErrors)))
        }
        for rate in [environment.writeRate, M.rate(environment)] {
            guard let seconds = rate?.take(viewer.userID, now: environment.now()) else { continue }
            throw ExecutionError.rateLimited(retryAfter: seconds)
        }
        // An empty clientMutationId is echoed, and names nothing.
        let claim = clientMutationId.flatMap { id in
            id.isEmpty
                ? nil
                : Claim(viewer: viewer.userID, mutation: M.name, id: id, inputHash: environment.hash(of: input))
        }
        do {
            let rows = try await write(mutation, claim)
            environment.changes.noteWrite()
            return Payload(
                object: M.object(rows.last?.first, MutationOutcome(id: mutation.id)),
                clientMutationId: clientMutationId)
        } catch PostgresError.constraint("idempotency_pkey") {
            guard let claim else { throw ExecutionError.notFound }
            return try await replay(M.self, claim, arguments)
        } catch let error as PostgresError {
            guard let server = error.server else { throw error }
            if case .userErrors(let errors) = Refusal(server) { return failed(errors) }
            // What it refers to went between the check and the write.
            if server.sqlstate == .foreignKeyViolation { throw ExecutionError.notFound }
            throw error
        }
    }

    private func write<M: Mutation>(_ mutation: M, _ claim: Claim?) async throws -> [Rows] {
        let claimed = claim.map { [$0.insert(mutation.outcome)] } ?? []
        do {
            return try await retryingWrite(
                Segment(settings: settings, claimed + [mutation.write, mutation.result].compactMap { $0 }))
        } catch let error as PostgresError where error.constraint != nil && error.constraint == M.identity {
            guard let existing = mutation.existing else { throw error }
            return try await retryingWrite(Segment(settings: settings, claimed + [existing]))
        }
    }

    /// A serialization failure or a deadlock left nothing behind: up to three more tries, with jitter.
    func retryingWrite(_ segment: Segment) async throws -> [Rows] {
        var triesLeft = 3
        while true {
            do {
                return try await environment.pools.write.run(segment)
            } catch let error as PostgresError where error.isRetryable && triesLeft > 0 {
                triesLeft -= 1
                try await Task.sleep(for: .milliseconds(Int.random(in: 5...40)))
            }
        }
    }

    /// What the write would have refused as well: a person mends all of it at once.
    private func stored(_ errors: SQL?) async throws -> [UserError] {
        guard let errors else { return [] }
        return try await start(StoredErrors(errors: errors)).value.first ?? []
    }

    private func replay<M: Mutation>(
        _ type: M.Type, _ claim: Claim, _ arguments: InputObject
    ) async throws -> Payload<M.Object> {
        let pool = environment.pools.write
        guard let stored = try await pool.run(claim.stored, settings: settings).first, !stored.isExpired else {
            // It was swept, or is due to be: the mutation is a new one.
            _ = try await pool.run(Segment(settings: settings, [claim.deleteExpired]))
            return try await perform(M.self, arguments)
        }
        guard stored.inputHash == claim.inputHash else {
            throw ExecutionError("This clientMutationId came with another input before.", code: .badUserInput)
        }
        var row: Row?
        if let read = M.replay(stored.outcome) {
            row = try await pool.run(Segment(settings: settings, [read])).first?.first
        }
        return Payload(object: M.object(row, stored.outcome), clientMutationId: claim.id)
    }
}

private struct StoredErrors: Statement {
    let errors: SQL

    var sql: SQL { "select \(errors)" }

    func decode(_ row: Row) -> [UserError] { row.texts(0).compactMap { UserError(stored: String($0)) } }
}
