/// Numbers for names, so that rules compare numbers and index arrays instead of comparing and hashing strings.
struct NameTable {
    private var slots: [Int32]
    private var hashes: [UInt64] = []
    private(set) var names: [String] = []
    private var mask: Int

    /// A random odd number, which no client can know, so that names cannot be made to collide.
    private static let seed = UInt64.random(in: .min ... .max) | 1

    init() {
        slots = [Int32](repeating: 0, count: 128)
        mask = 127
        names.reserveCapacity(64)
        hashes.reserveCapacity(64)
    }

    var count: Int { names.count }

    func name(_ id: Int32) -> String { names[Int(id)] }

    /// The number of a name, which is added where it is new.
    mutating func id(of name: String) -> Int32 {
        let hash = Self.hash(name)
        var slot = Int(truncatingIfNeeded: hash >> 32) & mask
        while slots[slot] != 0 {
            let id = Int(slots[slot]) - 1
            if hashes[id] == hash, names[id] == name { return Int32(id) }
            slot = (slot + 1) & mask
        }
        names.append(name)
        hashes.append(hash)
        slots[slot] = Int32(names.count)
        if names.count * 2 > mask { grow() }
        return Int32(names.count - 1)
    }

    /// The number of a name; nil where the table does not have it.
    func known(_ name: String) -> Int32? {
        let hash = Self.hash(name)
        var slot = Int(truncatingIfNeeded: hash >> 32) & mask
        while slots[slot] != 0 {
            let id = Int(slots[slot]) - 1
            if hashes[id] == hash, names[id] == name { return Int32(id) }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private mutating func grow() {
        mask = mask * 2 + 1
        slots = [Int32](repeating: 0, count: mask + 1)
        for id in hashes.indices {
            var slot = Int(truncatingIfNeeded: hashes[id] >> 32) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = Int32(id + 1)
        }
    }

    @inline(__always)
    private static func hash(_ name: String) -> UInt64 {
        var hash = seed
        for byte in name.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        return hash &* seed
    }
}
