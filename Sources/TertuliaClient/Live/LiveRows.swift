/// A live list as it is shown.
public struct LiveRows<Row: SelectedObject>: Sendable, Equatable {
    public enum Phase: Sendable, Equatable {
        /// From the store; the server has not been reached yet.
        case cached
        /// The server's rows are on their way.
        case syncing
        /// Every change arrives.
        case live
        /// The server cannot be reached; what changes meanwhile will arrive.
        case offline
    }

    public var rows: [Row]
    /// The ids of `rows`.
    public var ids: [String]
    public var phase: Phase
    /// Whether there are rows after the loaded ones.
    public var hasNextPage: Bool
    /// How many rows have come that belong after the loaded ones.
    public var beyondEnd: Int
    /// Whether an item has come whose place is not known: reading the list anew shows it.
    public var isStale: Bool
}
