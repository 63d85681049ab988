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
    /// The keys of the rows' records: their ids, or where ids belong to types, those of
    /// ``SchemaDescription/key(type:id:)``.
    public var ids: [String]
    public var phase: Phase
    /// Whether there are rows after the loaded ones.
    public var hasNextPage: Bool
    /// How many rows have come that belong after the loaded ones.
    public var beyondEnd: Int
    /// Whether an item has come whose place is not known: reading the list anew shows it.
    public var isStale: Bool
    /// The ids of the outbox's entries that change a row, the oldest first, by the row's id. An entry is there until it
    /// is answered, refused, overruled or discarded. Rows that no entry changes are left out.
    public var waiting: [String: [String]] = [:]

    /// Tells if a row shows a write that the server has not answered yet.
    ///
    /// - Parameter id: the row's id, as in ``ids``.
    public func isWaiting(_ id: String) -> Bool { waiting[id] != nil }
}
