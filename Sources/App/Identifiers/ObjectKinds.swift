import ChangeFeed
import Postgres

extension TypeID.Kind {
    /// The kind as the change log names it.
    var objectKind: ObjectKind { ObjectKind(rawValue: rawValue) }
}

extension TypeID {
    /// nil for a kind without global ids, such as a block, and for a kind that only a newer server knows.
    init?(_ object: ObjectID) {
        guard let kind = Kind(rawValue: object.kind.rawValue) else { return nil }
        self.init(kind, object.uuid)
    }

    var object: ObjectID { ObjectID(kind.objectKind, uuid) }
}
