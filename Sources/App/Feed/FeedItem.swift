import GraphQL
import Postgres

/// A thought or an event.
enum FeedItem: AbstractValue, ListItem {
    case thought(Thought)
    case event(Event)

    var sortID: UUID {
        switch self {
        case .thought(let thought): thought.id
        case .event(let event): event.id
        }
    }

    func sortKey(in order: Cursor.Order) -> Int64 {
        switch self {
        case .thought(let thought): thought.sortKey(in: order)
        case .event(let event): event.sortKey(in: order)
        }
    }

    /// Events stand in no order by counters.
    func positionKey(in order: Cursor.Order) -> Int64? {
        switch self {
        case .thought(let thought): thought.positionKey(in: order)
        case .event(let event): order == .newest ? event.positionKey(in: order) : nil
        }
    }

    static let bindings: [Binding] = [
        InterfaceBinding<FeedItem, RequestContext>("FeedItem") { bind(&$0) },
        InterfaceBinding<FeedItem, RequestContext>("Commentable") { bind(&$0) },
    ]

    private static func bind(_ members: inout AbstractMembers<FeedItem>) {
        members.member("Thought") { if case .thought(let thought) = $0 { thought } else { nil } }
        members.member("Event") { if case .event(let event) = $0 { event } else { nil } }
    }
}

/// The interface Commentable has the same members as FeedItem.
typealias Commentable = FeedItem
