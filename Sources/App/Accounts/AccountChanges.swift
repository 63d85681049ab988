import ChangeFeed
import Postgres

extension ObjectKind {
    static let user = ObjectKind(rawValue: "user")
}

/// The changes of an account itself, as others see it.
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

/// The same with its badges, as only the account sees itself: what it is told, and what is said to it or read by it.
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
        // What is hidden is counted no more.
        case .block: change.state?.owner == account || change.state?.subject == account
        case .notification: change.state?.owner == account
        case .conversation:
            change.after?.owner == account
                || (change.after?.owner == nil && fold.conversations.contains(change.object.uuid))
        default: false
        }
    }

    /// All that it counts is folded, not told by a state.
    func includes(_ object: ObjectID, _ state: ChangeState, for viewer: UUID?, _ fold: Memberships) -> Bool { false }
}
