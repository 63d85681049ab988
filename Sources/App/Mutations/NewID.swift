import GraphQL
import Postgres

extension RequestContext {
    /// The id that a client gave to what it creates, or a new one.
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
    /// The id of an object that the input acts upon. One of another kind is none that exists.
    func id(_ kind: TypeID.Kind, _ name: String = "id") throws -> UUID {
        let id: TypeID = try decode(name)
        guard id.kind == kind else { throw ExecutionError.notFound }
        return id.uuid
    }

    /// The id of something that the input refers to. One of another kind refers to nothing: no row has the nil UUID.
    func reference(_ kind: TypeID.Kind, _ name: String) throws -> UUID? {
        try decode(TypeID?.self, name).map { $0.kind == kind ? $0.uuid : UUID(high: 0, low: 0) }
    }
}
