/// How a waiting write changes an object as it is shown. The patch is applied to the server's fields at each read.
public struct RecordPatch: Sendable, Equatable {
    /// The key of the object's record.
    public let key: String
    let changes: Changes

    /// - Parameters:
    ///   - key: the object's id. In a schema whose ids are unique within a type only, the key of the type and the id:
    ///     `SchemaDescription.generated.key(type: "Thought", id: id)`, which is right for every schema.
    ///   - fields: the changes of fields, by the fields' names in the schema.
    public init(_ key: String, _ fields: [(name: String, change: Change)]) {
        self.key = key
        changes = Changes(fields: fields)
    }

    public enum Change: Sendable, Equatable {
        /// The field has this value.
        case set(JSONValue)
        /// The field refers to another object, by the key of its record.
        case refer(to: String)
        /// The field is an integer, and this is added to it.
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

        /// The keys of the records to which the fields refer.
        var references: [String] {
            fields.flatMap { field -> [String] in
                switch field.change {
                case .set(let value): value.references
                case .refer(let key): [key]
                case .add: []
                }
            }
        }

        /// True where a record that the server gave while the write was under way has the write's effect. Such a record
        /// is not older than the write. Fields that the record lacks are not compared. Neither are numbers that the
        /// write adds to, because a number does not show whether the write is counted in it. A record of an object that
        /// the write creates has the effect, whatever has become of the object's fields since.
        func isShown(in record: JSONObject) -> Bool {
            if fields.contains(where: { $0.name == "id" }) { return true }
            return fields.allSatisfy { name, change in
                guard let value = record[name] else { return true }
                switch change {
                case .set(let given): return value == given
                case .refer(let key): return value == .reference(to: key)
                case .add: return true
                }
            }
        }

        /// A list of `[name, "set", value]`, `[name, "refer", key]` and `[name, "add", number]`.
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
