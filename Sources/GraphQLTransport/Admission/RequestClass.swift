import GraphQL

/// The class of an operation by what it costs and who sent it. The cases are in the order in which waiting requests are
/// admitted.
enum RequestClass: Int, CaseIterable, Sendable {
    case memberMutation
    case memberLookup
    case anonymousLookup
    case anonymousMutation
    case memberList
    case anonymousList
    case memberHeavy
    case anonymousHeavy

    /// The kind of work. Each kind has a limit of its own, so that none takes the room of all.
    enum Kind: Int, CaseIterable, Sendable {
        case mutation
        /// A few objects by their keys.
        case lookup
        case list
        case heavy
    }

    /// The greatest cost of a look-up, in the unit of `QueryMetrics.cost`.
    private static let lookupCost = 10
    /// The greatest cost of a list.
    private static let listCost = 100

    /// - Parameter cost: the operation's cost with its variables; nil where it has no measure.
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
