import GraphQL
import Postgres

enum AccountBindings {
    static func query(_ query: inout ObjectFields<Root, RequestContext>) {
        query.load("viewer") { _, context -> Pending<[ViewerAccount?]> in
            guard context.viewer != nil else { return Pending([nil]) }
            return context.context.start(CurrentViewer()).pending.map { [$0.first] }
        }
        query.load("user") { _, context -> Pending<[User?]> in
            let by: InputObject = try context.arguments.decode("by")
            if let username: String = try by.decode("username") {
                // PostgreSQL's text cannot hold NUL, so no username contains it.
                if username.utf8.contains(0) { return Pending([nil]) }
                return context.context.start(UserByUsername(username: username)).pending.map { [$0.first] }
            }
            let id: TypeID = try by.decode("id")
            guard id.kind == .user else { return Pending([nil]) }
            return context.context.start(UsersByID(ids: [id.uuid])).pending.map { [$0.first] }
        }
    }

    static func mutation(_ mutation: inout ObjectFields<Root, RequestContext>) {
        mutation.session("signUp") { try await $0.signUp(SignUpInput(input: $1)) }
        mutation.session("signIn") { try await $0.signIn(SignInInput(input: $1)) }
        mutation.session("signInAnonymously") { context, _ in try await context.signInAnonymously() }
        mutation.session("refreshSession") { try await $0.refreshSession($1.decode("refreshToken")) }
        mutation.mutation(RevokeSession.self)
        mutation.mutation(RevokeOtherSessions.self)
        mutation.mutation(UpdateProfile.self)
        mutation.mutation(ChangePassword.self)
        mutation.mutation(ChangeEmail.self)
        mutation.mutation(ConfirmEmail.self)
        mutation.mutation(RequestEmailConfirmation.self)
        mutation.mutation(RequestPasswordReset.self)
        mutation.mutation(ResetPassword.self)
        mutation.mutation(DeleteAccount.self)
        mutation.batch("signOut") { _, context in [try await context.context.signOut(context.arguments)] }
    }

    static let types: [Binding] =
        [
            user, ViewerAccount.binding, Session.binding, SessionPayload.binding,
            RevokedSessionIDs.binding, viewerPayload,
        ]
        + ["SignOutPayload", "RequestPasswordResetPayload", "ResetPasswordPayload", "DeleteAccountPayload"].map(nothing)

    private static let user: Binding = ObjectBinding<User, RequestContext>("User") { user in
        user.field("id") { TypeID(.user, $0.id) }
        user.field("username", \.username)
        user.field("displayName", \.displayName)
        user.field("isAnonymous", \.isAnonymous)
        user.field("bio", \.bio)
        user.load("avatar", for: Everybody.self) { users, context in
            context.context.images(users.map { ($0.avatarID, true) })
        }
        user.field("createdAt", \.createdAt)
        user.load("thoughts") { users, context in
            let page = try Page(context.arguments, order: .newest)
            return context.context.start(ThoughtsOfAuthors(authors: users.map(\.id), page: page)).pending
                .map { page.lists($0, parents: users.count) }
        }
        user.load("events") { users, context in
            let page = try Page(context.arguments, order: .chronological)
            return context.context.start(EventsOfAuthors(authors: users.map(\.id), page: page)).pending
                .map { page.lists($0, parents: users.count) }
        }
        user.load("viewerHasBlocked") { users, context in
            guard context.viewer != nil else { return Pending(users.map { _ in false }) }
            return context.context.start(BlockedByViewer(ids: users.map(\.id))).pending.map { blocked in
                let blocked = Set(blocked)
                return users.map { blocked.contains($0.id) }
            }
        }
        SafetyBindings.user(&user)
    }

    private static let viewerPayload: Binding = ObjectBinding<Payload<ViewerAccount>, RequestContext>("ViewerPayload") {
        $0.field("viewer", \.object)
        $0.payloadFields()
    }

    private static func nothing(_ name: String) -> Binding {
        ObjectBinding<Payload<EmptyPayloadObject>, RequestContext>(name) { $0.payloadFields() }
    }
}

struct BlockedByViewer: Statement {
    let ids: [UUID]

    var sql: SQL { "select blocked_id from blocks where blocker_id = viewer_id() and blocked_id = any(\(ids))" }

    func decode(_ row: Row) -> UUID { row.uuid(0) }
}
