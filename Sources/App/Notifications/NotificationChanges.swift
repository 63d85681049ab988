import ChangeFeed
import GraphQL
import Postgres

extension ObjectKind {
    static let notification = ObjectKind(rawValue: "notification")
}

/// The changes of an account's notifications.
struct NotificationChanges: LiveScope {
    let account: UUID

    var topics: [ChangeTopic] { [.owner(.notification, account)] }

    func fold(for viewer: UUID?) -> Blocks { Blocks(unknownOf: viewer, isPrivate: true) }
    func needsLoad(for viewer: UUID?) -> Bool { viewer != nil }

    static func load(_ scopes: [NotificationChanges], _ loader: FoldLoader<RequestContext>) async throws -> [Blocks] {
        var blocks = try await loader.load(Blocks.self)
        blocks.isPrivate = true
        return scopes.map { [blocks] _ in blocks }
    }

    func match(_ change: Change, for viewer: UUID?, _ fold: Blocks, _ effect: FoldEffect?) -> ChangeMatch? {
        if change.object.kind == .block { return .person(effect) }
        return kind(of: change, for: viewer, fold).map(ChangeMatch.object)
    }

    func includes(_ object: ObjectID, _ state: ChangeState, for viewer: UUID?, _ fold: Blocks) -> Bool {
        object.kind == .notification && state.owner == account
    }

    func objects(
        of change: BulkVisibilityChange, limit: Int, _ context: RequestContext
    ) async throws -> [ScopeObject] {
        guard case .person(let person) = change.cause else { return [] }
        let notifications: SQL = """
            select 'notification', n.id, n.user_id, null::uuid from notifications n where n.user_id = viewer_id() \
            and \(person) = any(n.actors)
            """
        return try await context.start(ScopeObjects(notifications, limit: limit)).value
    }
}

extension NotificationChanges {
    static var events: Binding { ChangeEvent<Notification>.personalBinding("NotificationChange", in: .newest) }

    static func subscription(_ subscription: inout ObjectFields<Root, RequestContext>) {
        subscription.changes("notificationChanges", of: Notification.self) { context in
            NotificationChanges(account: try context.context.requireViewer().userID)
        }
    }

    static func requested(by input: InputObject) throws -> ScopeInput.Scope? {
        guard try input.mailbox == .notifications else { return nil }
        return { NotificationChanges(account: try $0.requireViewer().userID) }
    }
}
