/// A level for each key. Adding raises it, and it drains by one microsecond a microsecond: a count-min sketch of leaky
/// buckets in fixed memory. A level is never read too low. It is read too high only if each of the key's cells is
/// shared with another key.
/// Source: Cormode and Muthukrishnan, An Improved Data Stream Summary: The Count-Min Sketch and its Applications, 2005,
/// with conservative update (Estan and Varghese, 2002)
public struct DrainingLevels: Sendable {
    private static let rows = 4
    private let cellsPerRow: Int
    /// The time at which each cell has drained, in microseconds.
    private var emptyAt: [Int64]

    /// - Parameter cellsPerRow: a power of two. Four rows of 8 bytes a cell are allocated.
    public init(cellsPerRow: Int) {
        precondition(cellsPerRow > 0 && cellsPerRow & (cellsPerRow - 1) == 0, "The cells of a row are a power of two.")
        self.cellsPerRow = cellsPerRow
        emptyAt = [Int64](repeating: .min, count: Self.rows * cellsPerRow)
    }

    /// In microseconds.
    public func level(of key: some Hashable, at now: Int64) -> Int64 {
        var least = Int64.max
        for cell in cells(of: key) { least = min(least, max(now, emptyAt[cell]) - now) }
        return least
    }

    /// - Parameter amount: in microseconds.
    public mutating func add(_ amount: Int64, to key: some Hashable, at now: Int64) {
        let filled = now + level(of: key, at: now) + amount
        for cell in cells(of: key) { emptyAt[cell] = max(emptyAt[cell], filled) }
    }

    /// Hashed with SipHash under a random key of this process, so that nobody can choose keys that collide in all
    /// cells.
    private func cells(of key: some Hashable) -> [Int] {
        var hasher = Hasher()
        hasher.combine(key)
        let hash = UInt64(bitPattern: Int64(hasher.finalize()))
        // The hashes of all rows are made from the two halves of one hash.
        // Source: Kirsch and Mitzenmacher, Less Hashing, Same Performance, 2006
        let (low, high) = (hash & 0xFFFF_FFFF, hash >> 32 | 1)
        return (0..<Self.rows).map { row in
            row * cellsPerRow + Int((low &+ UInt64(row) &* high) & UInt64(cellsPerRow - 1))
        }
    }
}
