import ChangeFeed
import GraphQL

/// A scope in the input of `changes`: exactly one member is given.
struct ScopeInput: InputObjectDecodable {
    /// Makes the scope for a request.
    /// - Throws: NOT_FOUND if the viewer may not see the object that is named, UNAUTHENTICATED if the scope needs a
    ///   viewer and the request has none.
    typealias Scope = @Sendable (RequestContext) async throws -> any ChangeScope<RequestContext, Node>

    enum Mailbox: String, InputDecodable, CaseIterable {
        case conversations = "CONVERSATIONS"
        case messages = "MESSAGES"
        case notifications = "NOTIFICATIONS"
    }

    let scope: Scope

    init(input: InputObject) throws {
        for type in ChangeBindings.scopes {
            guard let scope = try type.requested(by: input) else { continue }
            self.scope = scope
            return
        }
        throw ExecutionError("This scope is empty.", code: .badUserInput)
    }
}

extension InputObject {
    var mailbox: ScopeInput.Mailbox? { get throws { try decode("mailbox") } }
}
