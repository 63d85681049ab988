/// Values by their keys, bounded by their number and by the memory that they hold.
///
/// Two generations: what is used moves to the young one; when that is full, it becomes the old one and what was old is
/// gone. So what is used stays, at no cost of keeping an order.
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
    ///   - count: how many values are kept at most.
    ///   - weight: of all values together at most, in bytes; one that weighs more than half of it is not kept.
    public init(count: Int = .max, weight: Int) {
        maxCount = max(1, count / 2)
        maxWeight = weight / 2
    }

    /// The value of a key, which is in use then.
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

    /// Notes that a value came to hold more.
    @inlinable
    public mutating func grow(_ key: Key, by weight: Int) {
        if young[key] != nil {
            young[key]?.weight += weight
            youngWeight += weight
            if youngWeight > maxWeight { age() }
        } else {
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
