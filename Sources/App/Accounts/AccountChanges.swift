import ChangeFeed
import Postgres

extension ObjectKind {
    static let user = ObjectKind(rawValue: "user")
}

/// The changes of an account that every viewer may see.
struct AccountChanges: ChangeScope {
    typealias Context = RequestContext
    typealias Object = Node

    let account: UUID

    var topics: [ChangeTopic] { [.object(ObjectID(.user, account))] }

    func fold(for viewer: UUID?) -> NoFold { NoFold() }
    func needsLoad(for viewer: UUID?) -> Bool { false }
    static func load(_ scopes: [AccountChanges], _ loader: FoldLoader<RequestContext>) async throws -> [NoFold] {
        scopes.map { _ in NoFold() }
    }

    func match(_ change: Change, for viewer: UUID?, _ fold: NoFold, _ effect: FoldEffect?) -> ChangeMatch? {
        kind(of: change, for: viewer, fold).map(ChangeMatch.object)
    }

    func includes(_ object: ObjectID, _ state: ChangeState, for viewer: UUID?, _ fold: NoFold) -> Bool {
        object.kind == .user && object.uuid == account
    }
}

/// The changes that only the account itself sees: of the account and of its badges, which count its unread messages and
/// notifications.
struct BadgeChanges: ChangeScope {
    typealias Context = RequestContext
    typealias Object = Node

    let account: UUID

    var topics: [ChangeTopic] {
        [
            .object(ObjectID(.user, account)), .owner(.notification, account), .owner(.block, account),
            .subject(account),
        ]
    }

    func fold(for viewer: UUID?) -> Memberships { Memberships(of: viewer) }
    func needsLoad(for viewer: UUID?) -> Bool { viewer != nil }

    static func load(_ scopes: [BadgeChanges], _ loader: FoldLoader<RequestContext>) async throws -> [Memberships] {
        let memberships = try await loader.load(Memberships.self)
        return scopes.map { _ in memberships }
    }

    func match(_ change: Change, for viewer: UUID?, _ fold: Memberships, _ effect: FoldEffect?) -> ChangeMatch? {
        concerns(change, fold) ? .object(.changed) : nil
    }

    private func concerns(_ change: Change, _ fold: Memberships) -> Bool {
        switch change.object.kind {
        case .user: change.object.uuid == account
        // A block changes the badges, because they do not count hidden objects.
        case .block: change.state?.owner == account || change.state?.subject == account
        case .notification: change.state?.owner == account
        case .conversation:
            change.after?.owner == account
                || (change.after?.owner == nil && fold.conversations.contains(change.object.uuid))
        default: false
        }
    }

    /// Always false: `match` asks `concerns` instead.
    func includes(_ object: ObjectID, _ state: ChangeState, for viewer: UUID?, _ fold: Memberships) -> Bool { false }
}
