import ChangeFeed
import GraphQL
import Postgres

/// A type of objects with global ids (Relay's Node). The conformance is in the folder of the type's feature. The
/// conformance declares everything that is needed to find an object by its id. `TypeID.Kind.type` lists the types.
protocol NodeObject: ChangedNode, ObjectValue {
    associatedtype ByID: Statement where ByID.Output == Self

    /// The type's name in the schema.
    static var typeName: String { get }
    static var kind: TypeID.Kind { get }

    var id: UUID { get }

    /// The types of the first columns of `byID`, which the object's properties decode when they are read.
    static var columnTypes: [ColumnType] { get }

    /// Reads the objects among `ids` that the viewer sees.
    static func byID(_ ids: [UUID]) -> ByID

    /// Reads a changed object as everybody sees it, with all that most events select of it. nil for an object of a
    /// private type.
    static func changed(_ id: UUID, for everybody: Everybody) -> Pending<Node?>

    /// Selects the object's row of `AccessFacts` if the viewer sees the object: id, owner, whether it has ended,
    /// whether it is cancelled, and whether only the participants of a conversation see it.
    static func access(to id: UUID) -> SQL

    // MARK: - Named in a subscription

    /// How the log tells a subscription whether the viewer sees an object that it names.
    static var visibility: NamedVisibility { get }

    /// Selects the present states of the objects among `ids`, as far as they decide who sees the objects: id, owner,
    /// status, category and subject. nil for a type whose objects have no state that `visibility` needs.
    static func states(of ids: [UUID], for viewer: UUID?) -> SQL?

    /// Whether a row of the log concerns the viewer, for a type whose visibility is `policies`.
    static func concerns(_ viewer: UUID?, _ state: ChangeState) -> Bool

    /// Whether a block between the viewer and an object's owner hides the object.
    static var isHiddenWithOwner: Bool { get }

    /// The kind of the event for an object that a block hides because of one of its people.
    static var kindWhenHidden: ChangeKind { get }

    /// Selects the objects among `ids` that a person takes part in, for a type whose people the log does not tell:
    /// type, id, owner and subject. nil where the log tells them.
    static var objectsOfPerson: (@Sendable (_ person: UUID, _ ids: [UUID]) -> SQL)? { get }
}

/// How the log tells whether the viewer sees an object that a subscription names.
enum NamedVisibility: Sendable {
    /// The log does not tell it. The policies decide when the object is read.
    case policies
    /// By the object's owner and status: it is hidden while a block hides the owner, and while it is another account's
    /// draft.
    case state
    /// By the object's owner, and by the visibility of the object's subject.
    case stateAndSubject
    /// By the object's owner, and by the viewer's membership in the conversation that is the object's subject.
    case conversationOfSubject
    /// By the viewer's membership: the object is a conversation.
    case conversation

    /// Whether the viewer's memberships decide.
    var needsMemberships: Bool { self == .conversation || self == .conversationOfSubject }

    /// Whether an object can be hidden or shown by a row of the log about its subject.
    var dependsOnSubject: Bool { self == .stateAndSubject || self == .conversationOfSubject }
}

extension NodeObject {
    init?(node: Node) {
        guard let object = node.object as? Self else { return nil }
        self = object
    }

    static func changed(_ id: UUID, for everybody: Everybody) -> Pending<Node?> { Pending(nil) }

    /// The row for an object that belongs to the viewer.
    static func access(to id: UUID) -> SQL {
        "select \(id)::uuid, viewer_id(), false, false, false where exists (\(byID([id]).sql))"
    }

    static var visibility: NamedVisibility { .policies }
    static func states(of ids: [UUID], for viewer: UUID?) -> SQL? { nil }
    static func concerns(_ viewer: UUID?, _ state: ChangeState) -> Bool { false }
    static var isHiddenWithOwner: Bool { true }
    static var kindWhenHidden: ChangeKind { .removed }
    static var objectsOfPerson: (@Sendable (_ person: UUID, _ ids: [UUID]) -> SQL)? { nil }
}

extension NodeObject where Self: SharedObject {
    static func changed(_ id: UUID, for everybody: Everybody) -> Pending<Node?> { everybody.node(byID([id])) }
}

extension Everybody {
    /// The first object that a statement reads.
    func node<S: Statement>(_ statement: S) -> Pending<Node?> where S.Output: SharedObject & NodeObject {
        start(statement).pending.map { $0.first.map { Node(object: $0) } }
    }
}
