import GraphQL
import Postgres

extension RequestContext {
    /// The id that the client gave to a new object, or a generated one.
    /// - Throws: BAD_USER_INPUT unless the given id has this kind and is a UUIDv7.
    func newID(_ kind: TypeID.Kind, given id: TypeID?) throws -> UUID {
        guard let id else { return environment.newID() }
        guard id.kind == kind else {
            throw ExecutionError("The id given must begin with \(kind.rawValue)_.", code: .badUserInput)
        }
        guard id.uuid.version == 7 else {
            throw ExecutionError("An id made by a client is a UUIDv7.", code: .badUserInput)
        }
        return id.uuid
    }
}

extension InputObject {
    /// The id of the object that the input acts on.
    /// - Throws: NOT_FOUND for an id of another kind.
    func id(_ kind: TypeID.Kind, _ name: String = "id") throws -> UUID {
        let id: TypeID = try decode(name)
        guard id.kind == kind else { throw ExecutionError.notFound }
        return id.uuid
    }

    /// The id of an object to which the input refers. An id of another kind becomes the nil UUID, which no row has.
    func reference(_ kind: TypeID.Kind, _ name: String) throws -> UUID? {
        try decode(TypeID?.self, name).map { $0.reference(kind) }
    }

    /// As `reference`, for a field of an update.
    func patchReference(_ kind: TypeID.Kind, _ name: String) throws -> Patch<UUID> {
        switch try decode(Patch<TypeID>.self, name) {
        case .absent: .absent
        case .null: .null
        case .value(let id): .value(id.reference(kind))
        }
    }
}

extension TypeID {
    fileprivate func reference(_ kind: Kind) -> UUID { self.kind == kind ? uuid : UUID(high: 0, low: 0) }
}
