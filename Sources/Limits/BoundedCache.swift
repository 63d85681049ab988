/// Values by their keys, bounded by their number and by the memory that they hold.
///
/// The values are in two generations. A value that is used moves to the young generation. When the young generation is
/// full, it replaces the old one, whose values are dropped. So used values stay, and no order has to be kept.
public struct BoundedCache<Key: Hashable, Value> {
    @usableFromInline
    struct Entry {
        @usableFromInline let value: Value
        @usableFromInline var weight: Int

        @inlinable
        init(value: Value, weight: Int) { (self.value, self.weight) = (value, weight) }
    }

    @usableFromInline var young: [Key: Entry] = [:]
    @usableFromInline var old: [Key: Entry] = [:]
    @usableFromInline var youngWeight = 0
    @usableFromInline let maxCount: Int
    @usableFromInline let maxWeight: Int

    /// - Parameters:
    ///   - count: the largest number of values; 1 means 2.
    ///   - weight: the largest weight of all values together, in bytes; that of one value is half of it. Only `grow`
    ///     can exceed them.
    public init(count: Int = .max, weight: Int) {
        maxCount = max(1, count / 2)
        maxWeight = weight / 2
    }

    /// The value of a key. A value that is found moves to the young generation.
    @inlinable
    public mutating func find(_ key: Key) -> Value? {
        if let entry = young[key] { return entry.value }
        guard let entry = old.removeValue(forKey: key) else { return nil }
        keep(entry, key)
        return entry.value
    }

    @inlinable
    public mutating func insert(_ value: Value, weight: Int, for key: Key) {
        old[key] = nil
        if let replaced = young.removeValue(forKey: key) { youngWeight -= replaced.weight }
        keep(Entry(value: value, weight: weight), key)
    }

    /// Adds to the weight of a value that has come to hold more memory.
    /// - Parameter isValue: whether the value under the key is the one that has grown.
    @inlinable
    public mutating func grow(_ key: Key, by weight: Int, where isValue: (Value) -> Bool = { _ in true }) {
        if let entry = young[key] {
            guard isValue(entry.value) else { return }
            young[key]?.weight += weight
            youngWeight += weight
            if youngWeight > maxWeight { age() }
        } else if let entry = old[key], isValue(entry.value) {
            old[key]?.weight += weight
        }
    }

    @inlinable
    public mutating func removeAll() { (young, old, youngWeight) = ([:], [:], 0) }

    @inlinable
    mutating func keep(_ entry: Entry, _ key: Key) {
        guard entry.weight <= maxWeight else { return }
        if young.count >= maxCount || youngWeight + entry.weight > maxWeight { age() }
        young[key] = entry
        youngWeight += entry.weight
    }

    @inlinable
    mutating func age() {
        old = young.filter { $0.value.weight <= maxWeight }
        young = [:]
        youngWeight = 0
    }

    public var count: Int { young.count + old.count }

    /// In bytes.
    public var weight: Int { old.values.reduce(youngWeight) { $0 + $1.weight } }
}
