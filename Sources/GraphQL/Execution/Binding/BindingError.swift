/// The bindings do not fit the schema. Lists every mismatch, so that all can be mended at once.
public struct BindingError: Error, Sendable, Equatable, CustomStringConvertible {
    public let mismatches: [String]

    public var description: String {
        (["The schema and its bindings do not fit:"] + mismatches).joined(separator: "\n- ")
    }
}
