import GraphQL

/// The position of one operation in its source stream.
struct StreamProgress {
    /// Reads the position of the source; nil until the operation streams. It returns nil if events have no positions.
    var source: (@Sendable () -> StreamPosition?)?
    /// The cursor of the last event that was sent.
    private(set) var last: String?

    mutating func note(_ response: Response) { last = response.position ?? last }

    /// The cursor from which the client resumes if no more events are sent; nil without one.
    var position: String? {
        guard let now = source?() else { return nil }
        return now.isCaughtUp ? now.text : last ?? now.text
    }

    /// The cursor from which all operations of a client connection resume; nil while an operation has an event under
    /// way or has not begun to stream, or if no operation has a position.
    static func commonCursor(_ operations: some Sequence<StreamProgress>) -> String? {
        // Positions only grow, so the one that is read first is safe for all operations.
        var first: String?
        for operation in operations {
            guard let source = operation.source else { return nil }
            guard let now = source() else { continue }
            guard now.isCaughtUp else { return nil }
            first = first ?? now.text
        }
        return first
    }
}

extension GraphQLError {
    /// The error with the cursor from which the client resumes as `extensions.cursor`; unchanged without a cursor.
    func with(cursor: String?) -> GraphQLError {
        guard let cursor else { return self }
        var error = self
        error.extensions.fields.append((name: "cursor", value: .string(cursor)))
        return error
    }
}
