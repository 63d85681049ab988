import GraphQL
import Postgres

extension RequestContext {
    /// Runs a mutation in one segment on a write connection: settings, claim, lock, image, write, result. That costs
    /// one round trip. An id that exists costs two: the failed insert rolls the claim back, and a second segment
    /// inserts the claim again. A replay costs up to three: the failed claim, its stored outcome, and the object's
    /// present state.
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
            // A retry can fail here because the first attempt used up a rate, such as the hour's last mail; answer with
            // the stored outcome.
            guard let claim, let replayed = try await replay(M.self, claim) else { throw error }
            return replayed
        }
        guard problems.isEmpty else {
            // A retry fails these checks if the first attempt already changed the password; answer with the stored
            // outcome.
            guard let claim, let replayed = try await replay(M.self, claim) else { return failed(problems) }
            return replayed
        }
        do {
            let (written, result, isNew) = try await write(mutation, image, claim)
            environment.changes.noteWrite()
            try mutation.committed(written, in: self)
            if M.isAuthorship, let viewer {
                environment.activity.note(.write, by: viewer.userID, at: environment.now())
            }
            return Payload(
                object: try Self.object(of: M.self, result, MutationOutcome(id: mutation.id)),
                clientMutationId: clientMutationId, wasCreated: try isNew && mutation.wasCreated(written))
        } catch PostgresError.constraint("idempotency_pkey") {
            guard let claim else { throw ExecutionError.notFound }
            if let replayed = try await replay(M.self, claim) { return replayed }
            // The claim has expired, or was deleted as expired meanwhile, so this is a new mutation.
            _ = try await M.pool(environment.pools).run(Segment(settings: settings, [claim.deleteExpired]))
            return try await perform(M.self, arguments)
        } catch let error as PostgresError {
            guard let server = error.server else { throw error }
            if case .userErrors(let errors) = Refusal(server) { return failed(errors) }
            if let error = server.constraint.flatMap(M.userError) { return failed([error]) }
            // The referenced object was deleted between the check and the write.
            if server.sqlstate == .foreignKeyViolation { throw ExecutionError.notFound }
            throw error
        }
    }

    /// The payload's object.
    /// - Parameter result: the rows from which it is read, at most one.
    private static func object<M: Mutation>(
        of type: M.Type, _ result: Rows?, _ outcome: MutationOutcome
    ) throws -> M.Object? {
        guard let result, !result.isEmpty else { return M.object(nil, outcome) }
        return try result.first { M.object($0, outcome) } ?? nil
    }

    /// - Returns: the rows of the write, those of the payload, and whether it was the write of a new object.
    private func write<M: Mutation>(
        _ mutation: M, _ image: NewImage?, _ claim: Claim?
    ) async throws -> (Rows, Rows?, isNew: Bool) {
        func written(_ writing: [SQL?], isNew: Bool) async throws -> (Rows, Rows?, isNew: Bool) {
            let before = [
                claim?.insert(mutation.outcome, wasCreated: isNew && M.identity != nil), mutation.lock,
                image?.store(where: mutation.storesImage, quota: environment.limits.imageQuota),
            ].compactMap { $0 }
            var segment = Segment(settings: settings, before + writing.compactMap { $0 })
            segment.source = .type(M.self)
            let rows = try await M.pool(environment.pools).retrying(segment)
            return (rows[before.count], rows.last, isNew)
        }
        do {
            return try await written([mutation.write, mutation.result], isNew: true)
        } catch let error as PostgresError where error.constraint != nil && error.constraint == M.identity {
            guard let existing = mutation.existing else { throw error }
            return try await written([mutation.overwrite, existing], isNew: false)
        }
    }

    /// The errors that only the database can find. The write does not run, so they are read here, and a person can
    /// correct all errors at once.
    private func stored(_ errors: SQL?) async throws -> [UserError] {
        guard let errors else { return [] }
        return try await start(StoredErrors(errors: errors)).value.first ?? []
    }

    /// The payload of the first attempt, with the object's present state; nil if no outcome is stored, or if the
    /// outcome has expired.
    /// - Throws: BAD_USER_INPUT if the first attempt had another input.
    private func replay<M: Mutation>(_ type: M.Type, _ claim: Claim) async throws -> Payload<M.Object>? {
        let pool = M.pool(environment.pools)
        guard let stored = try await pool.run(claim.stored, settings: settings).first, !stored.isExpired else {
            return nil
        }
        guard stored.inputHash == claim.inputHash else {
            throw ExecutionError("This clientMutationId came with another input before.", code: .badUserInput)
        }
        var result: Rows?
        if let read = M.replay(stored.outcome) {
            var segment = Segment(settings: settings, [read])
            segment.source = .type(M.self)
            result = try await pool.run(segment).first
        }
        return Payload(
            object: try Self.object(of: M.self, result, stored.outcome), clientMutationId: claim.id,
            wasCreated: stored.outcome.wasCreated)
    }
}

private struct StoredErrors: Statement {
    let errors: SQL

    var sql: SQL { "select \(errors)" }

    func decode(_ row: Row) -> [UserError] { row.texts(0).compactMap { UserError(stored: String($0)) } }
}
