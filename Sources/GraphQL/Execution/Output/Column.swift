/// The values of a whole level: what a resolver is given and what it gives.
public final class Column<Element: Sendable>: Sendable {
    public let values: [Element]

    @inlinable
    public init(_ values: [Element]) { self.values = values }
}

/// A `Column` whose element type is known to its resolvers alone: that they agree was proven when the schema was bound.
public typealias AnyColumn = any AnyObject & Sendable

extension Column {
    @inlinable
    static func of(_ column: AnyColumn) -> Column<Element> { unsafeDowncast(column, to: Column<Element>.self) }
}

/// A field's values for all parents of a level, flattened: each layer says where its slots are found in the next.
public indirect enum CompletedColumn: Sendable {
    /// One object, abstract value or leaf a slot.
    case values(AnyColumn, count: Int)
    /// A row of the next layer, or -1 for null.
    case optional(rows: [Int32], CompletedColumn)
    /// Slot i holds the rows `offsets[i] ..< offsets[i + 1]` of the next layer.
    case list(offsets: [Int32], CompletedColumn)
    /// A row of the next layer, or -1 - k for the error k.
    case failing(rows: [Int32], errors: [any Error], CompletedColumn)
}
