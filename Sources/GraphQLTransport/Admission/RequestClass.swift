import GraphQL

/// The class of an operation: by its type, by its cost unless it is a mutation, and by whether a member sent it. The
/// cases are in the order in which waiting requests are admitted.
enum RequestClass: Int, CaseIterable, Sendable {
    case memberMutation
    case memberLookup
    case anonymousLookup
    case anonymousMutation
    case memberList
    case anonymousList
    case memberHeavy
    case anonymousHeavy

    /// The kind of work. Each kind has its own limit of operations that run at once, so that no kind keeps out others.
    enum Kind: Int, CaseIterable, Sendable {
        case mutation
        /// A query or subscription that costs as little as a few objects by their keys.
        case lookup
        case list
        case heavy
    }

    /// The greatest cost of a look-up, in the unit of `QueryMetrics.cost`.
    private static let lookupCost = 10
    /// The greatest cost of a list.
    private static let listCost = 100

    /// - Parameter cost: the operation's cost with its variables; nil where it could not be measured. A query without a
    ///   measured cost counts as a list.
    init(_ type: OperationType, cost: Int?, isMember: Bool) {
        switch (type, cost ?? Self.listCost) {
        case (.mutation, _): self = isMember ? .memberMutation : .anonymousMutation
        case (_, ...Self.lookupCost): self = isMember ? .memberLookup : .anonymousLookup
        case (_, ...Self.listCost): self = isMember ? .memberList : .anonymousList
        default: self = isMember ? .memberHeavy : .anonymousHeavy
        }
    }

    var kind: Kind {
        switch self {
        case .memberMutation, .anonymousMutation: .mutation
        case .memberLookup, .anonymousLookup: .lookup
        case .memberList, .anonymousList: .list
        case .memberHeavy, .anonymousHeavy: .heavy
        }
    }
}
