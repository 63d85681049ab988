import GraphQL
import Postgres

extension RequestContext {
    /// Runs a mutation in one segment on its pool: settings, lock, claim, image, write, result. A segment costs one
    /// round trip. An id that exists costs two: the failed insert rolls the claim back, and a second segment inserts
    /// the claim again. A replay costs up to three: the failed claim, its stored outcome, and the object's present
    /// state.
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

    /// - Returns: the rows of the write, the payload's row, and whether the mutation created the object.
    private func write<M: Mutation>(
        _ mutation: M, _ image: NewImage?, _ claim: Claim?
    ) async throws -> (Rows, Row?, wasCreated: Bool) {
        func written(_ writing: [SQL?], isNew: Bool) async throws -> (Rows, Row?, wasCreated: Bool) {
            let before = [
                mutation.lock, claim?.insert(mutation.outcome, wasCreated: isNew && M.identity != nil),
                image?.store(where: mutation.storesImage, quota: environment.limits.imageQuota),
            ].compactMap { $0 }
            var segment = Segment(settings: settings, before + writing.compactMap { $0 })
            segment.source = .type(M.self)
            if M.sharesCommit { segment.commit = image == nil && mutation.lock == nil ? .mayBeShared : .own }
            let rows = try await rows(of: segment, in: M.pool(environment.pools))
            return (rows[before.count], rows.last?.first, isNew && mutation.wasCreated(rows[before.count]))
        }
        do {
            return try await written([mutation.write, mutation.result], isNew: true)
        } catch let error as PostgresError where error.constraint != nil && error.constraint == M.identity {
            guard let existing = mutation.existing else { throw error }
            return try await written([mutation.overwrite, existing], isNew: false)
        }
    }

    /// Runs a segment that writes, and notes its position.
    private func rows(of segment: Segment, in pool: Pool) async throws -> [Rows] {
        guard environment.standbys != nil else { return try await pool.retrying(segment) }
        var segment = segment
        let position = PositionOfWrites()
        segment.append(position)
        writes { $0.began() }
        do {
            var rows = try await pool.retrying(segment)
            let committed = try rows.removeLast().decoded(by: position).first ?? nil
            writes { $0.committed(at: committed) }
            return rows
        } catch let error as PostgresError where error.server != nil {
            writes { $0.rolledBack() }
            throw error
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
        // The first attempt may have committed without being durable yet, on this server or on another.
        var reading = Segment(settings: settings, [claim.stored.sql])
        if M.sharesCommit { reading.commit = .mayBeShared }
        let found = try await pool.run(reading).first?.first
        guard let stored = found.map(claim.stored.decode), !stored.isExpired else { return nil }
        guard stored.inputHash == claim.inputHash else {
            throw ExecutionError("This clientMutationId came with another input before.", code: .badUserInput)
        }
        var row: Row?
        if let read = M.replay(stored.outcome) {
            row = try await pool.run(Segment(settings: settings, [read])).first?.first
        }
        await noteWrites(in: pool)
        return Payload(
            object: M.object(row, stored.outcome), clientMutationId: claim.id, wasCreated: stored.outcome.wasCreated)
    }
}

private struct StoredErrors: Statement {
    let errors: SQL

    var sql: SQL { "select \(errors)" }

    func decode(_ row: Row) -> [UserError] { row.texts(0).compactMap { UserError(stored: String($0)) } }
}
