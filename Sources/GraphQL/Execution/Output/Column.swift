/// A ``Column`` without its element type. The resolvers that make and read it agree on the type, which was checked when
/// the schema was bound.
///
/// `AnyColumn` is Sendable, since `Column`, its only subclass, holds immutable Sendable values.
public class AnyColumn: @unchecked Sendable {
    @usableFromInline
    init() {}

    /// The column's values at `rows`.
    func selecting(_ rows: [Int]) -> AnyColumn { self }
}

/// The values of a whole level: a resolver's parents, or its results.
public final class Column<Element: Sendable>: AnyColumn, @unchecked Sendable {
    public let values: [Element]

    @inlinable
    public init(_ values: [Element]) { self.values = values }

    override func selecting(_ rows: [Int]) -> AnyColumn { Column(rows.map { values[$0] }) }
}

extension Column {
    @inlinable
    static func of(_ column: AnyColumn) -> Column<Element> { unsafeDowncast(column, to: Column<Element>.self) }
}

/// The values of a field for all parents of a level, flattened, with one slot for each parent. A list or nullable type
/// has a layer of its own, which holds for each of its slots the rows of the next layer with the slot's contents.
public indirect enum CompletedColumn: Sendable {
    /// The innermost layer: one object, abstract value or leaf a slot.
    case values(AnyColumn, count: Int)
    /// Each slot has a row of the next layer, or -1 for null.
    case optional(rows: [Int32], CompletedColumn)
    /// Slot i holds the rows `offsets[i] ..< offsets[i + 1]` of the next layer.
    case list(offsets: [Int32], CompletedColumn)
    /// Each slot has a row of the next layer, or -1 - k for the error k.
    case failing(rows: [Int32], errors: [any Error], CompletedColumn)
}

extension CompletedColumn {
    /// A column of the given slots, in their order.
    func selecting(_ slots: [Int]) -> CompletedColumn {
        switch self {
        case .values(let column, _): return .values(column.selecting(slots), count: slots.count)
        case .optional(let rows, let next):
            let (selected, below) = Self.renumber(rows, slots)
            return .optional(rows: selected, next.selecting(below))
        case .failing(let rows, let errors, let next):
            let (selected, below) = Self.renumber(rows, slots)
            return .failing(rows: selected, errors: errors, next.selecting(below))
        case .list(let offsets, let next):
            var selected: [Int32] = [0]
            var below: [Int] = []
            for slot in slots {
                below += Int(offsets[slot])..<Int(offsets[slot + 1])
                selected.append(Int32(truncatingIfNeeded: below.count))
            }
            return .list(offsets: selected, next.selecting(below))
        }
    }

    private static func renumber(_ rows: [Int32], _ slots: [Int]) -> (rows: [Int32], below: [Int]) {
        var below: [Int] = []
        let selected = slots.map { slot -> Int32 in
            if rows[slot] < 0 { return rows[slot] }
            below.append(Int(rows[slot]))
            return Int32(truncatingIfNeeded: below.count - 1)
        }
        return (selected, below)
    }
}
