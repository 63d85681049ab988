/// What values hold on the heap, in bytes, with what the allocator adds to each block: for caches that are bounded by
/// memory. A close estimate, rather above than below.
enum HeapSize {
    /// An object's header and the allocator's.
    static let block = 32

    static func of<Element>(_ array: [Element]) -> Int {
        array.capacity == 0 ? 0 : block + array.capacity * MemoryLayout<Element>.stride + 16
    }

    static func of<Element>(_ array: [Element], _ element: (Element) -> Int) -> Int {
        array.reduce(of(array)) { $0 + element($1) }
    }

    /// A table is filled to three quarters.
    static func of<Key, Value>(_ dictionary: [Key: Value]) -> Int {
        let slots = dictionary.capacity * 4 / 3 + 1
        return dictionary.isEmpty
            ? 0 : block + 32 + slots * (MemoryLayout<Key>.stride + MemoryLayout<Value>.stride)
    }

    /// Short texts have no block of their own.
    static func of(_ text: String) -> Int {
        let count = text.utf8.count
        return count <= 15 ? 0 : block + count + 16
    }
}
