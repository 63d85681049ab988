import GraphQL
import Postgres

extension RequestContext {
    /// One segment on a write connection: settings, claim, write, result. One round trip; a replay takes two, and so does
    /// an id that exists, whose second segment claims anew with what became of it.
    func perform<M: Mutation>(_ type: M.Type, _ arguments: InputObject) async throws -> Payload<M.Object> {
        let viewer = M.needsViewer ? try requireViewer() : viewer
        let input = try M.input(of: arguments)
        let clientMutationId = try Claim.clientMutationId(of: input)
        let image = try M.imageArgument.flatMap { argument in
            try arguments.decode(Upload?.self, argument.name).map {
                NewImage($0, as: argument, id: environment.newID())
            }
        }
        var mutation = try M(image?.placed(in: input) ?? input, self)
        func failed(_ errors: [UserError]) -> Payload<M.Object> {
            Payload(object: nil, clientMutationId: clientMutationId, userErrors: errors)
        }
        let errors = mutation.userErrors + (image?.userErrors ?? [])
        guard errors.isEmpty else { return failed(errors + (try await stored(mutation.storedErrors))) }
        for rate in [environment.writeRate, M.rate(environment), image.map { _ in environment.uploadRate }] {
            guard let viewer, let rate else { continue }
            try allow(rate.take(viewer.userID, now: environment.now()))
        }
        let claim = Claim(M.name, clientMutationId, viewer, environment.hash(of: input, image))
        let problems: [UserError]
        do {
            problems = try await mutation.prepare(self)
        } catch let error as ExecutionError {
            // What its first try has used up may be why: the last of an hour's mails.
            guard let claim, let replayed = try await replay(M.self, claim) else { throw error }
            return replayed
        }
        guard problems.isEmpty else {
            // Or what it has changed: a password that is not the current one any more.
            guard let claim, let replayed = try await replay(M.self, claim) else { return failed(problems) }
            return replayed
        }
        do {
            let (written, row, wasCreated) = try await write(mutation, image, claim)
            mutation.committed(written, in: self)
            environment.changes.noteWrite()
            if M.isAuthorship, let viewer {
                environment.activity.note(.write, by: viewer.userID, at: environment.now())
            }
            return Payload(
                object: M.object(row, MutationOutcome(id: mutation.id)), clientMutationId: clientMutationId,
                wasCreated: wasCreated)
        } catch PostgresError.constraint("idempotency_pkey") {
            guard let claim else { throw ExecutionError.notFound }
            if let replayed = try await replay(M.self, claim) { return replayed }
            // It was swept, or is due to be: the mutation is a new one.
            _ = try await M.pool(environment.pools).run(Segment(settings: settings, [claim.deleteExpired]))
            return try await perform(M.self, arguments)
        } catch let error as PostgresError {
            guard let server = error.server else { throw error }
            if case .userErrors(let errors) = Refusal(server) { return failed(errors) }
            if let error = server.constraint.flatMap(M.userError) { return failed([error]) }
            // What it refers to went between the check and the write.
            if server.sqlstate == .foreignKeyViolation { throw ExecutionError.notFound }
            throw error
        }
    }

    /// The rows of the write, the row that the payload is made of, and whether the mutation made the object.
    private func write<M: Mutation>(
        _ mutation: M, _ image: NewImage?, _ claim: Claim?
    ) async throws -> (Rows, Row?, wasCreated: Bool) {
        func written(_ writing: [SQL?], isNew: Bool) async throws -> (Rows, Row?, wasCreated: Bool) {
            let before = [
                claim?.insert(mutation.outcome, wasCreated: isNew && M.identity != nil), mutation.lock,
                image?.store(where: mutation.storesImage, quota: environment.limits.imageQuota),
            ].compactMap { $0 }
            let segment = Segment(settings: settings, before + writing.compactMap { $0 })
            let rows = try await M.pool(environment.pools).retrying(segment)
            return (rows[before.count], rows.last?.first, isNew && mutation.wasCreated(rows[before.count]))
        }
        do {
            return try await written([mutation.write, mutation.result], isNew: true)
        } catch let error as PostgresError where error.constraint != nil && error.constraint == M.identity {
            guard let existing = mutation.existing else { throw error }
            return try await written([mutation.overwrite, existing], isNew: false)
        }
    }

    /// What the write would have refused as well: a person mends all of it at once.
    private func stored(_ errors: SQL?) async throws -> [UserError] {
        guard let errors else { return [] }
        return try await start(StoredErrors(errors: errors)).value.first ?? []
    }

    /// nil where nothing is stored that still counts.
    private func replay<M: Mutation>(_ type: M.Type, _ claim: Claim) async throws -> Payload<M.Object>? {
        let pool = M.pool(environment.pools)
        guard let stored = try await pool.run(claim.stored, settings: settings).first, !stored.isExpired else {
            return nil
        }
        guard stored.inputHash == claim.inputHash else {
            throw ExecutionError("This clientMutationId came with another input before.", code: .badUserInput)
        }
        var row: Row?
        if let read = M.replay(stored.outcome) {
            row = try await pool.run(Segment(settings: settings, [read])).first?.first
        }
        return Payload(
            object: M.object(row, stored.outcome), clientMutationId: claim.id, wasCreated: stored.outcome.wasCreated)
    }
}

private struct StoredErrors: Statement {
    let errors: SQL

    var sql: SQL { "select \(errors)" }

    func decode(_ row: Row) -> [UserError] { row.texts(0).compactMap { UserError(stored: String($0)) } }
}
