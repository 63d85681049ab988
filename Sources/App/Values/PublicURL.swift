import GraphQL

/// An address below PUBLIC_URL, assembled while it is written.
struct PublicURL: LeafValue {
    let base: String
    let path: StaticString
    let id: TypeID?
    var suffix: StaticString = ""
    /// The query with its question mark. The query must have no character that JSON escapes.
    var query = ""

    func write(to json: inout JSONWriter) {
        var (base, query) = (base, query)
        json.append(UInt8(ascii: "\""))
        base.withUTF8 { json.append(UnsafeRawBufferPointer($0)) }
        json.append(path)
        id?.append(to: &json)
        json.append(suffix)
        query.withUTF8 { json.append(UnsafeRawBufferPointer($0)) }
        json.append(UInt8(ascii: "\""))
    }
}
