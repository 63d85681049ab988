import Postgres

/// The newest rows of the log, kept in memory.
struct ChangeWindow: Sendable {
    /// The rows after a position, in the order of the log.
    struct Rows: Sequence, IteratorProtocol {
        fileprivate let blocks: [PackedChanges]
        /// The place of the next row.
        fileprivate var place: (block: Int, row: Int)

        mutating func next() -> Change? {
            while place.block < blocks.count {
                if place.row < blocks[place.block].positions.count {
                    place.row += 1
                    return blocks[place.block][place.row - 1]
                }
                place = (place.block + 1, 0)
            }
            return nil
        }
    }

    /// The number of rows that are allocated, and released, together.
    private static let blockSize = 1_000

    /// The position after which the window has every row, as far as the log was read.
    private(set) var start: ChangePosition
    /// The rows, in blocks of `blockSize`; the last block may have fewer.
    private var blocks: [PackedChanges] = []
    /// The number of rows of the first block that are dropped already.
    private var dropped = 0
    private var count = 0
    private let capacity: Int

    init(start: ChangePosition, capacity: Int = 100_000) {
        self.start = start
        self.capacity = capacity
    }

    mutating func append(_ change: Change) {
        if blocks.last.map({ $0.positions.count == Self.blockSize }) ?? true {
            if !blocks.isEmpty { blocks[blocks.count - 1].shrink() }
            blocks.append(PackedChanges())
        }
        blocks[blocks.count - 1].append(change)
        count += 1
        guard count > capacity else { return }
        start = blocks[0].positions[dropped]
        dropped += 1
        count -= 1
        if dropped == blocks[0].positions.count {
            blocks.removeFirst()
            dropped = 0
        }
    }

    /// The rows after a position; nil if some of them were dropped.
    func changes(after position: ChangePosition) -> Rows? {
        if position < start { return nil }
        let block = blocks.firstIndex { $0.positions.last.map { $0 > position } ?? false } ?? blocks.count
        guard block < blocks.count else { return Rows(blocks: [], place: (0, 0)) }
        let positions = blocks[block].positions
        var (low, high) = (block == 0 ? dropped : 0, positions.count)
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] <= position { low = middle + 1 } else { high = middle }
        }
        return Rows(blocks: blocks, place: (block, low))
    }

    /// The first row of the change's object that is before the change in the log, but was written after it; nil if the
    /// window has none. Rows of one object are numbered in the order in which they were written.
    func firstThatOvertook(_ change: Change) -> ChangePosition? {
        for (number, block) in blocks.enumerated() {
            for row in (number == 0 ? dropped : 0)..<block.positions.count {
                let position = block.positions[row]
                guard position < change.position else { return nil }
                if position.row > change.position.row, block.object(at: row) == change.object { return position }
            }
        }
        return nil
    }

    /// The counter changes that conflation may have held back, from one position through another; nil if some of the
    /// rows were dropped.
    func counterChanges(from first: ChangePosition, through last: ChangePosition) -> [Change]? {
        changes(after: first.before).map { changes in Self.heldBack(changes.prefix { $0.position <= last }.reversed()) }
    }

    /// - Parameter changes: changes in the order from the newest to the oldest.
    /// - Returns: the newest change of each object if it changes counters only, in the order of the log.
    static func heldBack(_ changes: some Sequence<Change>) -> [Change] {
        var seen: Set<ObjectID> = []
        var held: [Change] = []
        for change in changes where seen.insert(change.object).inserted {
            if change.isCountersOnly { held.append(change) }
        }
        return held.reversed()
    }
}
