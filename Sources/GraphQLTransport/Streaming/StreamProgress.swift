import GraphQL

/// How far the events of one operation are.
struct StreamProgress {
    /// Of the source; nil until it streams. Its events may have no place to go on from.
    var source: (@Sendable () -> StreamPosition?)?
    /// Of the last event that was sent.
    private(set) var last: String?

    mutating func note(_ response: Response) { last = response.position ?? last }

    /// Where the client goes on when nothing more is sent.
    var position: String? {
        guard let now = source?() else { return nil }
        return now.isResting ? now.text : last ?? now.text
    }

    /// Where every operation of a connection goes on; nil while one has an event under way or has not begun to stream,
    /// or where none has a place.
    static func resting(_ operations: some Sequence<StreamProgress>) -> String? {
        // Later ones have gone further, if anything.
        var first: String?
        for operation in operations {
            guard let source = operation.source else { return nil }
            guard let now = source() else { continue }
            guard now.isResting else { return nil }
            first = first ?? now.text
        }
        return first
    }
}

extension GraphQLError {
    /// With the place to go on from as `extensions.cursor`.
    func with(cursor: String?) -> GraphQLError {
        guard let cursor else { return self }
        var error = self
        error.extensions.fields.append((name: "cursor", value: .string(cursor)))
        return error
    }
}
