import GraphQL
import Postgres

/// One mutation of the domain. `RequestContext.perform` runs all mutations in the same way, so that none can omit the
/// viewer, the claim of its clientMutationId, its counters or its rows of the change log.
protocol Mutation: Sendable {
    /// The payload's object.
    associatedtype Object: FieldOutput

    /// The name of the mutation's field.
    static var name: String { get }

    /// A rate that limits the mutation in addition to the rate of all writes.
    static func rate(_ environment: Environment) -> AccountRate?

    /// The argument that may carry a file, which is stored as an image in the write's transaction.
    static var imageArgument: ImageArgument? { get }

    /// The condition for storing that image, evaluated before the write: false if the object exists already or is
    /// somebody else's.
    var storesImage: SQL { get }

    static func input(of arguments: InputObject) throws -> InputObject

    /// Whether the mutation counts as writing in the usage figures.
    static var isAuthorship: Bool { get }

    /// Decodes and checks the input. If a file came with the mutation, the input has its image's id. Errors that a
    /// person can correct are collected in `userErrors`.
    init(_ input: InputObject, _ context: RequestContext) throws

    var userErrors: [UserError] { get }

    /// The user errors that only the database can find, as `text[]` of codes and fields, such as `INVALID timeZone`.
    /// `write` refuses with them by `refuse_user_errors`. If there are `userErrors` already, `perform` reads them
    /// separately, so that a person gets all errors at once.
    var storedErrors: SQL? { get }

    /// The outcome that is stored with the claim for replays: jsonb with the keys `id` and, where needed, `subject` or
    /// `ids`. It is evaluated before the write.
    var outcome: SQL { get }

    /// The id that `outcome` contains.
    var id: UUID { get }

    /// Whether the mutation needs a viewer. A mutation that a mail's token authorises does not.
    static var needsViewer: Bool { get }

    /// The pool, and with it the role, in which the write runs.
    static func pool(_ pools: Pools) -> Pool

    /// Awaits what the write needs, such as the hash of a password.
    /// - Returns: the user errors that were found.
    mutating func prepare(_ context: RequestContext) async throws -> [UserError]

    /// A statement before the write that takes its locks, so that the write sees what was committed while it waited.
    var lock: SQL? { get }

    /// The write, which contains the check of ownership.
    var write: SQL { get }

    /// Reads the payload's row after the write, in its transaction: the object with its new counters. The statement
    /// raises a refusal if the write could not be done. nil if the write returns the payload's row.
    var result: SQL? { get }

    /// The constraint that an insert violates if an object with this id exists, for a mutation that creates an object.
    /// Most ids are new, so an insert that sometimes fails costs less than a look-up each time.
    static var identity: String? { get }

    /// Reads the viewer's existing object with this id; refuses the id of somebody else's object.
    var existing: SQL? { get }

    /// Writes the input over the viewer's existing object, before `existing` reads it; nil if the object is kept.
    var overwrite: SQL? { get }

    /// The user error for a violated constraint, which means that the write lost a race.
    static func userError(constraint: String) -> UserError?

    /// Whether `write` created an object, judged by its rows.
    func wasCreated(_ written: Rows) throws -> Bool

    /// Called after the commit.
    /// - Parameter written: the rows that `write` returned.
    func committed(_ written: Rows, in context: RequestContext) throws

    /// Reads the object's present state, for a replay.
    static func replay(_ outcome: MutationOutcome) -> SQL?

    /// The payload's object.
    /// - Parameter row: the row of `result`, or of `write` if there is no `result`; for a replay, of `replay`.
    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Object?
}

extension Mutation {
    static func rate(_ environment: Environment) -> AccountRate? { nil }
    static var imageArgument: ImageArgument? { nil }
    var storesImage: SQL { "true" }
    static func input(of arguments: InputObject) throws -> InputObject {
        try arguments.decode("input") ?? InputObject()
    }
    static var isAuthorship: Bool { false }
    var userErrors: [UserError] { [] }
    var storedErrors: SQL? { nil }
    var outcome: SQL { "jsonb_build_object('id', \(id))" }
    var result: SQL? { nil }
    static var identity: String? { nil }
    var existing: SQL? { nil }
    var overwrite: SQL? { nil }
    static var needsViewer: Bool { true }
    static func pool(_ pools: Pools) -> Pool { pools.write }
    mutating func prepare(_ context: RequestContext) async throws -> [UserError] { [] }
    var lock: SQL? { nil }
    static func userError(constraint: String) -> UserError? { nil }
    func wasCreated(_ written: Rows) -> Bool { Self.identity != nil }
    func committed(_ written: Rows, in context: RequestContext) {}
    static func replay(_ outcome: MutationOutcome) -> SQL? { nil }
}

/// The stored outcome of a mutation with a clientMutationId.
struct MutationOutcome: Sendable {
    let id: UUID
    var subject: UUID?
    /// The ids, if the mutation is about several objects.
    var ids: [UUID] = []
    /// Whether the first attempt created the object.
    var wasCreated = false
}

/// The payload of every mutation of the domain.
struct Payload<Object: FieldOutput>: ObjectValue {
    let object: Object?
    let clientMutationId: String?
    /// Whether the mutation created the object; false if an object with its id existed.
    var wasCreated = false
    var userErrors: [UserError] = []
}

/// The payload's object of a mutation that deletes.
struct Deleted: ObjectValue {
    let id: TypeID
    var subject: TypeID?
}

extension ObjectFields {
    /// The fields that all payloads have.
    mutating func payloadFields<Object>() where Parent == Payload<Object> {
        field("clientMutationId", \.clientMutationId)
        field("userErrors", \.userErrors)
    }
}

extension ObjectFields where Parent == Root, Context == RequestContext {
    mutating func mutation<M: Mutation>(_ type: M.Type) {
        batch(M.name) { _, context in [try await context.context.perform(M.self, context.arguments)] }
    }
}
