/// The bindings do not fit the schema. Every mismatch is listed, so that all can be corrected at once.
public struct BindingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The mismatches, a sentence each, such as `Query.books has no resolver`.
    public let mismatches: [String]

    public var description: String {
        (["The schema and its bindings do not fit:"] + mismatches).joined(separator: "\n- ")
    }
}
