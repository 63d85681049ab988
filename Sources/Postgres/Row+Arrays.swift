/// Arrays of one dimension in binary form: `array_send` in PostgreSQL's source, `arrayfuncs.c`.
extension Row {
    @inlinable
    public func uuids(_ column: Int) -> [UUID] {
        elements(column, .uuid) { $0.count == 16 ? UUID(bigEndian: $0) : nil }
    }

    @inlinable
    public func int64s(_ column: Int) -> [Int64] {
        elements(column, .int8) { $0.count == 8 ? Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) : nil }
    }

    /// The elements' UTF-8 bytes, in place.
    @inlinable
    public func texts(_ column: Int) -> [Text] {
        elements(column, .text) { Text(result: result, bytes: $0) }
    }

    /// Elements that are NULL are left out.
    @inlinable
    func elements<Element>(
        _ column: Int, _ type: PostgresType, _ decode: (UnsafeRawBufferPointer) -> Element?
    ) -> [Element] {
        assert(!isNull(column), "column \(column) is NULL")
        assert(self.type(of: column) == type.arrayOID, "column \(column) has type \(self.type(of: column))")
        return withExtendedLifetime(result) {
            let bytes = value(column)
            func word(_ offset: Int) -> Int {
                guard offset + 4 <= bytes.count else { return -1 }
                return Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
            }
            guard word(0) == 1 else {
                assert(word(0) == 0, "column \(column) has more than one dimension")
                return []
            }
            let count = max(0, word(12))
            var elements: [Element] = []
            elements.reserveCapacity(count)
            var offset = 20
            for _ in 0..<count {
                let length = word(offset)
                offset += 4
                guard length >= 0 else { continue }
                guard offset + length <= bytes.count else { break }
                if let element = decode(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])) {
                    elements.append(element)
                }
                offset += length
            }
            return elements
        }
    }
}
