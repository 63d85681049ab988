import GraphQL
import Postgres

/// One mutation of the domain. `RequestContext.perform` runs every one of them the same way, so that none can forget
/// the viewer, the claim of its clientMutationId, its counters or its rows of the change log.
protocol Mutation: Sendable {
    /// What the payload shows.
    associatedtype Object: FieldOutput

    /// The field of the mutation type.
    static var name: String { get }

    /// What limits it beyond the rate of all writes.
    static func rate(_ environment: Environment) -> AccountRate?

    /// The argument that may bring a file: an image that is stored with the write, or not at all.
    static var imageArgument: ImageArgument? { get }

    /// Whether that image is stored, asked before the write: not for an object that is there already, or another's.
    var storesImage: SQL { get }

    static func input(of arguments: InputObject) throws -> InputObject

    /// Whether who does it wrote something, for the usage figures.
    static var isAuthorship: Bool { get }

    /// Decodes and checks the input; an image that came with it stands in the field of its id. What a person can mend is
    /// collected in `userErrors`.
    init(_ input: InputObject, _ context: RequestContext) throws

    var userErrors: [UserError] { get }

    /// What a person can mend and only the database knows, as `text[]` of codes and fields, such as `INVALID timeZone`.
    /// `write` refuses it with `refuse_user_errors`; it is asked for by itself when there are `userErrors`, too.
    var storedErrors: SQL? { get }

    /// The ids of what the mutation is about, as jsonb with the keys `id` and, where there is one, `subject`, or `ids`: kept
    /// with the claim, for replays. Evaluated before the write.
    var outcome: SQL { get }

    /// The id in `outcome`.
    var id: UUID { get }

    /// Whether it is the signed-in account's alone. What a token in a mail proves can be anybody's.
    static var needsViewer: Bool { get }

    /// The connections, and with them the role, that the write needs.
    static func pool(_ pools: Pools) -> Pool

    /// What has to be awaited before the write, such as the hash of a password, and what it finds wrong.
    mutating func prepare(_ context: RequestContext) async throws -> [UserError]

    /// Locked by a statement of its own, so that the write sees what was committed meanwhile.
    var lock: SQL? { get }

    /// The write, with the ownership check in it.
    var write: SQL { get }

    /// What is read after the write, in its transaction: the object with its new counters. It refuses what the write
    /// could not do. nil where the write gives all that the payload needs.
    var result: SQL? { get }

    /// The constraint that a second object of this id violates, where the mutation makes an object. Most ids are new: a
    /// plain insert that fails is cheaper than one that asks first.
    static var identity: String? { get }

    /// Reads the object of this id where the viewer made it before, and refuses the id where somebody else did.
    var existing: SQL? { get }

    /// Writes the input over the viewer's object of this id, before `existing` reads it; nil where the object is kept.
    var overwrite: SQL? { get }

    /// What the violation of a constraint means to a person, where the write has lost a race.
    static func userError(constraint: String) -> UserError?

    /// Whether `write` made an object, by its rows.
    func wasCreated(_ written: Rows) -> Bool

    /// - Parameter written: the rows of `write`.
    func committed(_ written: Rows, in context: RequestContext)

    /// The object in its present state, for a replay.
    static func replay(_ outcome: MutationOutcome) -> SQL?

    /// - Parameter row: the row of `result` (or of `write` where there is none); for a replay that of `replay`.
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

/// What is kept of a mutation that carried a clientMutationId.
struct MutationOutcome: Sendable {
    let id: UUID
    var subject: UUID?
    /// Where it is about several.
    var ids: [UUID] = []
    /// Whether the first attempt made the object.
    var wasCreated = false
}

/// The payload of every mutation of the domain.
struct Payload<Object: FieldOutput>: ObjectValue {
    let object: Object?
    let clientMutationId: String?
    /// Whether the mutation made the object, rather than finding one of its id.
    var wasCreated = false
    var userErrors: [UserError] = []
}

/// What a delete mutation answers with.
struct Deleted: ObjectValue {
    let id: TypeID
    var subject: TypeID?
}

extension ObjectFields {
    /// What all payloads have.
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
