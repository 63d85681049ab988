/// What a write that waits makes of an object: a function of the server's fields, applied anew whenever these change.
public struct RecordPatch: Sendable, Equatable {
    /// The object's key: its id.
    public let key: String
    let changes: Changes

    /// - Parameters:
    ///   - key: the object's id.
    ///   - fields: what becomes of fields, by their names in the schema.
    public init(_ key: String, _ fields: [(name: String, change: Change)]) {
        self.key = key
        changes = Changes(fields: fields)
    }

    public enum Change: Sendable, Equatable {
        /// The field has this value.
        case set(JSONValue)
        /// The field refers to another object.
        case refer(to: String)
        /// The number is greater by this.
        case add(Int)
    }

    struct Changes: Sendable, Equatable {
        var fields: [(name: String, change: Change)]

        static func == (left: Self, right: Self) -> Bool { left.fields.elementsEqual(right.fields, by: ==) }

        func applied(to record: JSONObject) -> JSONObject {
            var patched = record
            for (name, change) in fields {
                switch change {
                case .set(let value): patched.set(name, value)
                case .refer(let key): patched.set(name, .reference(to: key))
                case .add(let amount):
                    if case .int(let number) = patched[name] { patched.set(name, .int(number + amount)) }
                }
            }
            return patched
        }

        /// A list of `[name, what, value]`.
        var json: JSONValue {
            .list(
                fields.map { name, change in
                    switch change {
                    case .set(let value): .list([.string(name), .string("set"), value])
                    case .refer(let key): .list([.string(name), .string("refer"), .string(key)])
                    case .add(let amount): .list([.string(name), .string("add"), .int(amount)])
                    }
                })
        }
    }
}

extension RecordPatch.Changes {
    init(_ json: JSONValue) throws(UnreadableResponse) {
        fields = try (json.list ?? []).map {
            (item) throws(UnreadableResponse) -> (name: String, change: RecordPatch.Change) in
            guard let parts = item.list, parts.count == 3, let name = parts[0].text else {
                throw UnreadableResponse(expected: "a patch")
            }
            switch (parts[1].text, parts[2]) {
            case ("set", let value): return (name, .set(value))
            case ("refer", .string(let key)): return (name, .refer(to: key))
            case ("add", .int(let amount)): return (name, .add(amount))
            default: throw UnreadableResponse(expected: "a patch")
            }
        }
    }
}
