import Crypto
import Cryptography
import GraphQL
import Postgres

/// A device that receives the account's push messages.
struct PushDevice: ObjectValue {
    /// The alias `d` is the push_devices table.
    static let columns: StaticString = "d.id, d.transport, d.created_at"
    static let columnTypes: [ColumnType] = [.uuid, .text, .timestamptz]

    /// The end of a registration without a session.
    static let end: StaticString = "coalesce(d.ends_at, d.created_at + interval '30 days')"

    let row: Row

    init(row: Row) {
        row.expect(Self.columnTypes)
        self.row = row
    }

    var id: UUID { row.uuid(0) }
    var transport: Text { row.text(1) }
    var createdAt: Timestamp { row.timestamp(2) }
}

/// The viewer's devices, newest first. `ids` limits them to some; nil for all.
struct OwnPushDevices: Statement {
    let ids: [UUID]?

    var sql: SQL {
        let condition: SQL = ids.map { " and d.id = any(\($0))" } ?? ""
        return """
            select \(unsafe: PushDevice.columns) from push_devices d where d.user_id = viewer_id()\(condition) \
            order by d.created_at desc, d.id desc
            """
    }

    func decode(_ row: Row) -> PushDevice { PushDevice(row: row) }
}

enum PushDeviceBindings {
    static func query(_ query: inout ObjectFields<Root, RequestContext>) {
        query.field("webPushKey") { _, context in
            Optional(Base64.url.encode(context.context.environment.applicationServerKey.publicKey.x963Representation))
        }
    }

    static func mutation(_ mutation: inout ObjectFields<Root, RequestContext>) {
        mutation.mutation(RegisterPushDevice.self)
        mutation.mutation(UnregisterPushDevice.self)
    }

    static func viewer(_ viewer: inout ObjectFields<ViewerAccount, RequestContext>) {
        viewer.load("pushDevices") { viewers, context in
            context.context.start(OwnPushDevices(ids: nil)).pending.map { rows in viewers.map { _ in rows } }
        }
    }

    static let types: [Binding] = [device, payload, unregisterPayload]

    private static let device: Binding = ObjectBinding<PushDevice, RequestContext>("PushDevice") { device in
        device.field("id") { TypeID(.device, $0.id) }
        device.field("transport", \.transport)
        device.field("createdAt", \.createdAt)
    }

    private static let payload: Binding = ObjectBinding<Payload<PushDevice>, RequestContext>("PushDevicePayload") {
        $0.field("pushDevice", \.object)
        $0.payloadFields()
    }

    private static let unregisterPayload: Binding = ObjectBinding<Payload<Deleted>, RequestContext>(
        "UnregisterPushDevicePayload"
    ) {
        $0.field("deletedId") { $0.object?.id }
        $0.viewerField()
        $0.payloadFields()
    }
}

extension Environment {
    /// The key pair that identifies this server to push services (RFC 8292). It is derived from the secret, so it is
    /// the same on every replica.
    static func applicationServerKey(_ secret: [UInt8]) -> P256.Signing.PrivateKey {
        let derivation = HMACSHA256(key: secret)
        for number in 0...UInt8.max {
            let scalar = derivation.code(for: Array("application server key for web push".utf8) + [number]).bytes
            if let key = try? P256.Signing.PrivateKey(rawRepresentation: scalar) { return key }
        }
        preconditionFailure("No key of 256 is valid, of which each one but for one in 2^32 is.")
    }
}

extension PushDevice: NodeObject {
    static let typeName = "PushDevice"
    static let kind = TypeID.Kind.device

    static func byID(_ ids: [UUID]) -> OwnPushDevices { OwnPushDevices(ids: ids) }
}
