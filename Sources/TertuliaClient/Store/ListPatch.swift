/// How a waiting write changes which objects a live list shows, until the server's list has changed.
public struct ListPatch: Sendable, Equatable {
    /// The place of an object until the server's list gives its position.
    public enum Place: Sendable {
        /// Before the rows of the server.
        case start
        /// After the rows of the server. While the list has more pages, the object is counted in
        /// ``LiveRows/beyondEnd``.
        case end
    }

    enum Change: String, Sendable { case start, end, removed }

    /// The list's name in the store.
    let list: String
    /// The key of the object's record.
    let key: String
    let change: Change

    /// A patch that puts an object into the list. The object is shown once the store has every field that the list
    /// selects: a new object has them from a ``RecordPatch`` of the same write.
    ///
    /// - Parameters:
    ///   - key: the key of the object's record, as in its `RecordPatch`: the id, in a schema whose ids are unique.
    ///   - query: the list with its filters. The arguments of the page do not matter.
    ///   - place: the end of the list at which the object stands until the server says where it belongs.
    public static func add<Query: LiveQuery>(
        _ key: String, to query: Query, at place: Place = .start
    ) -> ListPatch {
        ListPatch(list: LiveListWriter<Query>.name(query), key: key, change: place == .start ? .start : .end)
    }

    /// A patch that takes an object out of the list.
    ///
    /// - Parameters:
    ///   - key: the key of the object's record.
    ///   - query: the list with its filters. The arguments of the page do not matter.
    public static func remove<Query: LiveQuery>(_ key: String, from query: Query) -> ListPatch {
        ListPatch(list: LiveListWriter<Query>.name(query), key: key, change: .removed)
    }
}

extension RecordPatch {
    /// A patch that makes an object which the server does not have yet.
    ///
    /// - Parameters:
    ///   - key: the key of the object's record: its id, in a schema whose ids are unique among all objects.
    ///   - type: the object's type in the schema.
    ///   - id: made by ``NewID``; the key by default.
    ///   - fields: every other field that is selected by the lists that are to show the object.
    public static func object(
        _ key: String, ofType type: String, id: String? = nil, _ fields: [(name: String, change: Change)]
    ) -> RecordPatch {
        let identity: [(name: String, change: Change)] = [
            ("__typename", .set(to: type)), ("id", .set(to: id ?? key)),
        ]
        return RecordPatch(key, identity + fields)
    }
}

extension RecordPatch.Change {
    /// The field has this value: a `String`, an `Int`, a `Date`, a case of an enum.
    public static func set(to value: some ScalarValue) -> RecordPatch.Change {
        var encoder = InputEncoder()
        return .set(value.encode(&encoder))
    }
}
