/// A cache of the field definitions looked up last: a document selects the same few fields again and again.
struct FieldCache {
    private struct Entry {
        var type: TypeIndex
        var name: Int32
        /// Unmanaged, since the schema outlives the cache.
        var field: Unmanaged<FieldType>?
    }

    private var entries = [Entry](repeating: Entry(type: .undefined, name: -1, field: nil), count: 128)

    /// - Parameter id: the name's number in the document's `NameTable`.
    mutating func field(named name: String, _ id: Int32, on type: TypeIndex, _ schema: Schema) -> FieldType? {
        let slot = (Int(id) &* 31 &+ type.rawValue) & 127
        let entry = entries[slot]
        if entry.name == id, entry.type == type { return entry.field?.takeUnretainedValue() }
        let field = schema.field(named: name, on: type)
        entries[slot] = Entry(type: type, name: id, field: field.map(Unmanaged.passUnretained))
        return field
    }
}
