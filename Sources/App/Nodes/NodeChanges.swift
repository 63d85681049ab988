import ChangeFeed
import GraphQL
import Postgres

/// The changes of objects that a client names by their ids.
struct NodeChanges: LiveScope {
    let ids: Set<ObjectID>

    var topics: [ChangeTopic] { ids.map(ChangeTopic.object) }

    func fold(for viewer: UUID?) -> NamedObjects { NamedObjects(ids, unknownTo: viewer) }
    func needsLoad(for viewer: UUID?) -> Bool { viewer != nil || !ids.isEmpty }

    static func load(_ scopes: [NodeChanges], _ loader: FoldLoader<RequestContext>) async throws -> [NamedObjects] {
        try await NamedObjects.load(scopes.map(\.ids), loader)
    }

    func match(_ change: Change, for viewer: UUID?, _ fold: NamedObjects, _ effect: FoldEffect?) -> ChangeMatch? {
        if change.object.kind == .block {
            guard let effect, !effect.objects.isEmpty || fold.hasUnloggedPeople else { return nil }
            return .person(effect)
        }
        guard change.object.kind.visibility != .policies else {
            return match(kind(of: change, for: viewer, fold), of: change, fold)
        }
        guard let effect else { return nil }
        if !effect.objects.isEmpty { return .bulk(.names, isHidden: effect.isHidden, effect.objects) }
        return effect.visibility.flatMap { ChangeKind($0.before, $0.after) }.map(ChangeMatch.object)
    }

    /// The decision of the policies as far as the row tells it. It is used for the kinds that `NamedObjects` does not
    /// follow. A decision that depends on other rows is made when the node is read.
    func includes(_ object: ObjectID, _ state: ChangeState, for viewer: UUID?, _ fold: NamedObjects) -> Bool {
        ids.contains(object) && object.kind.nodeType?.concerns(viewer, state) ?? false
    }

    /// The owner of the row's object, if a block hides the object with its owner. The fold knows the owner of a
    /// comment's subject.
    func people(of change: Change, _ fold: NamedObjects) -> [UUID] {
        change.object.kind.nodeType?.isHiddenWithOwner ?? true ? [change.state?.owner].compactMap { $0 } : []
    }

    func isPersonal(_ change: Change, to viewer: UUID?, _ fold: NamedObjects) -> Bool {
        // A comment may be on a draft of the viewer's own.
        change.object.kind.isPrivate || viewer != nil && change.object.kind.visibility == .stateAndSubject
    }

    func objects(
        of change: BulkVisibilityChange, limit: Int, _ context: RequestContext
    ) async throws -> [ScopeObject] {
        var objects = change.objects.map { ScopeObject($0) }
        guard case .person(let person) = change.cause else { return objects }
        for type in NodeTypes.all {
            guard let select = type.objectsOfPerson else { continue }
            let named = ids.filter { $0.kind == type.kind.objectKind }.map(\.uuid)
            if !named.isEmpty { objects += try await context.start(ScopeObjects(select(person, named))).value }
        }
        return objects
    }
}

extension NodeChanges {
    /// - Parameter ids: the ids of the objects. A malformed id names none.
    /// - Throws: BAD_USER_INPUT if there are more than `Page.maximumCount`.
    init(_ ids: [String]) throws {
        guard ids.count <= Page.maximumCount else {
            throw ExecutionError("ids can have \(Page.maximumCount) entries at most.", code: .badUserInput)
        }
        self.init(ids: Set(ids.compactMap { TypeID($0)?.object }))
    }

    static var events: Binding { ChangeEvent<Node>.binding("NodeChange") }

    static func subscription(_ subscription: inout ObjectFields<Root, RequestContext>) {
        subscription.changes("nodeChanges", of: Node.self) { try NodeChanges($0.arguments.decode("ids")) }
    }

    static func requested(by input: InputObject) throws -> ScopeInput.Scope? {
        guard let ids: [String] = try input.decode("nodeIds") else { return nil }
        return { _ in try NodeChanges(ids) }
    }
}

extension Node: ChangedNode {
    init?(node: Node) { self = node }
}
