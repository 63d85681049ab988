import GraphQL

extension ExecutionError {
    public static let cursorExpired = ExecutionError(
        "The log of changes does not go back to this cursor. Read the list again, and subscribe from its changeCursor.",
        code: .cursorExpired)
    public static let fellBehind = ExecutionError(
        "More changes came than were read. Subscribe again after the last cursor that arrived.", code: .unavailable)

    /// The error with the cursor to resume from as `extensions.cursor`.
    func with(cursor: ChangeCursor?) -> ExecutionError {
        guard let cursor else { return self }
        var error = self
        error.extensions.fields.append((name: "cursor", value: .string(cursor.text)))
        return error
    }
}
