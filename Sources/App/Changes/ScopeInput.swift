import ChangeFeed
import GraphQL

/// Which changes a client wants: one of the members is given.
struct ScopeInput: InputObjectDecodable {
    /// - Throws: NOT_FOUND for what the viewer may not see, UNAUTHENTICATED where there is none and one is needed.
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
