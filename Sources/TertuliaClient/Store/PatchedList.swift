import GRDB

/// A list as it is shown: the rows of the server, and over them the patches of writes.
struct PatchedList: Sendable {
    /// The keys of the rows, in order. No key is there twice.
    private(set) var keys: [String] = []
    private(set) var state = ListState()
    /// The keys of rows that the server's list does not have yet.
    private(set) var added: Set<String> = []
    /// True where writes have laid patches over the rows.
    private(set) var isPatched = false

    init() {}

    init(_ list: String, in database: Database) throws {
        let stored = try ListTable.state(of: list, in: database)
        state = stored ?? ListState()
        keys = try ListTable.keys(of: list, in: database)
        let patches = try ListPatchTable.patches(of: list, in: database)
        guard !patches.isEmpty else { return }
        isPatched = true
        let beyond = try ListTable.keysBeyond(of: list, in: database)
        // An object that the server's list has keeps its place there.
        let placed = beyond.union(keys)
        var first: [String] = []
        var last: [String] = []
        var removed: Set<String> = []
        for patch in patches {
            first.removeAll { $0 == patch.key }
            last.removeAll { $0 == patch.key }
            removed.remove(patch.key)
            switch patch.change {
            case .removed: removed.insert(patch.key)
            case .start: if !placed.contains(patch.key) { first.insert(patch.key, at: 0) }
            case .end: if !placed.contains(patch.key) { last.append(patch.key) }
            }
        }
        state.beyondEnd -= beyond.intersection(removed).count
        if let stored, stored.hasNextPage {
            state.beyondEnd += last.count
            last = []
        }
        keys = first + keys.filter { !removed.contains($0) } + last
        added = Set(first + last)
    }

    /// Takes out the rows that have moved or gone, and puts back those that have a place.
    ///
    /// - Parameters:
    ///   - moves: the keys of these rows with their places. The row after a place is in the list, or among them.
    ///   - next: the list's state.
    mutating func move(_ moves: [(key: String, place: RowPlace?)], _ next: ListState) -> [RowMove] {
        var steps: [RowMove] = []
        for (key, _) in moves {
            guard let index = keys.firstIndex(of: key) else { continue }
            keys.remove(at: index)
            steps.append(.remove(index))
        }
        // The last place comes first, so that the row after a place is in the list already.
        let placed = moves.compactMap { key, place in place.map { (key: key, place: $0) } }
        for (key, place) in placed.sorted(by: { $0.place.position > $1.place.position }) {
            let index = place.next.flatMap { keys.firstIndex(of: $0) } ?? keys.endIndex
            keys.insert(key, at: index)
            steps.append(.insert(index, key))
        }
        state = next
        return steps
    }
}

/// A step of ``PatchedList/move(_:_:)``. Steps follow one another: each index is that after the steps before.
enum RowMove: Equatable {
    case remove(Int)
    case insert(Int, String)

    /// The key of the row that is put back.
    var key: String? {
        if case .insert(_, let key) = self { key } else { nil }
    }
}
