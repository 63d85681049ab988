import Cryptography
import GraphQL
import Postgres

/// A mutation's claim of its clientMutationId, by which a retry of the mutation is recognised. The primary key makes a
/// concurrent duplicate wait for the transaction of the first claim. If that transaction commits, the duplicate fails
/// with a unique violation, because the claim is inserted without `on conflict`. If it rolls back, the duplicate's
/// claim is inserted.
struct Claim: Sendable {
    /// The maximum length of a clientMutationId, in code points.
    static let maximumLength = 255
    /// The condition for a claim in `idempotency` to have expired. The time is long because an app may be offline for
    /// weeks before it sends a mutation again.
    static let isExpired: SQL = "created_at < now() - interval '30 days'"

    let viewer: UUID
    let mutation: String
    let id: String
    let inputHash: [UInt8]

    /// nil if the request has no viewer, or if the clientMutationId is absent or empty.
    init?(_ mutation: String, _ id: String?, _ viewer: RequestContext.Viewer?, _ inputHash: @autoclosure () -> [UInt8])
    {
        guard let viewer, let id, !id.isEmpty else { return nil }
        self.viewer = viewer.userID
        self.mutation = mutation
        self.id = id
        self.inputHash = inputHash()
    }

    /// - Throws: BAD_USER_INPUT for a clientMutationId that contains NUL or is longer than `maximumLength`. Without a
    ///   maximum, a clientMutationId could be too long for the index.
    static func clientMutationId(of input: InputObject) throws -> String? {
        guard let id: String = try input.decode("clientMutationId") else { return nil }
        guard id.unicodeScalars.count <= maximumLength, !id.utf8.contains(0) else {
            throw ExecutionError(
                "clientMutationId can have \(maximumLength) characters at most, none of them NUL.",
                code: .badUserInput)
        }
        return id
    }

    func insert(_ outcome: SQL, wasCreated: Bool) -> SQL {
        """
        insert into idempotency (account_id, mutation, client_mutation_id, input_hash, outcome) \
        values (\(viewer), \(mutation), \(id), \(inputHash), \(outcome)\(wasCreated ? Self.created : ""))
        """
    }

    private static let created: SQL = " || jsonb_build_object('created', true)"

    var stored: StoredClaim { StoredClaim(claim: self) }

    var deleteExpired: SQL {
        """
        delete from idempotency where account_id = \(viewer) and mutation = \(mutation) \
        and client_mutation_id = \(id) and \(Self.isExpired)
        """
    }
}

struct StoredClaim: Statement {
    struct Output: Sendable {
        let inputHash: [UInt8]
        let isExpired: Bool
        let outcome: MutationOutcome
    }

    let claim: Claim

    var sql: SQL {
        """
        select input_hash, \(Claim.isExpired), (outcome ->> 'id')::uuid, \
        (outcome ->> 'subject')::uuid, \
        array(select jsonb_array_elements_text(outcome -> 'ids')::uuid), outcome ? 'created' \
        from idempotency where account_id = \(claim.viewer) and mutation = \(claim.mutation) \
        and client_mutation_id = \(claim.id)
        """
    }

    func decode(_ row: Row) -> Output {
        Output(
            inputHash: row.bytes(0), isExpired: row.bool(1),
            outcome: MutationOutcome(
                id: row.uuid(2), subject: row.uuid(optional: 3), ids: row.uuids(4), wasCreated: row.bool(5)))
    }
}

extension Environment {
    /// The HMAC of a coerced input, written as JSON. Coercion puts fields into the schema's order, so equal inputs have
    /// equal bytes. The JSON does not have an image's bytes, so the image's digest is appended. Secrets are left out,
    /// so that nobody can test a guessed secret against a stored hash.
    func hash(of input: InputObject, _ image: NewImage?) -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.write(input.withoutSecrets)
        return inputHashKey.code(for: json.bytes + (image?.digest.bytes ?? [])).bytes
    }
}
