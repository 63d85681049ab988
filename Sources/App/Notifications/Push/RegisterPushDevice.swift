import GraphQL
import Postgres

/// If another account has registered the device, `register_push_device` deletes that registration.
struct RegisterPushDevice: Mutation {
    static let name = "registerPushDevice"

    let id: UUID
    private let session: UUID
    private let target: PushTarget?
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = context.environment.newID()
        session = try context.requireViewer().sessionID
        target = try PushTarget(input.decode("target"), context.environment.pushEndpointRules)
        userErrors =
            target == nil ? [UserError(.invalid, "Notifications cannot be sent to this address.", "target")] : []
    }

    var write: SQL {
        switch target {
        case .webPush(let endpoint, let p256dh, let auth):
            "select register_push_device(\(id), 'WEB_PUSH', \(endpoint), '', false, \(p256dh), \(auth), \(session))"
        case .apns(let token, let topic, let sandbox):
            "select register_push_device(\(id), 'APNS', \(token), \(topic), \(sandbox), null, null, \(session))"
        case nil: "select refuse('USER_ERRORS', 'INVALID target')"
        }
    }

    /// The device is read by its address, because a device that was registered before keeps its old id.
    var result: SQL? { device }

    private var place: (address: String, topic: String) {
        switch target {
        case .webPush(let endpoint, _, _): (endpoint, "")
        case .apns(let token, let topic, _): (token, topic)
        case nil: ("", "")
        }
    }

    private var device: SQL {
        """
        select \(unsafe: PushDevice.columns) from push_devices d \
        where d.address = \(place.address) and d.topic = \(place.topic) and d.user_id = viewer_id()
        """
    }

    /// Registrations of one device wait for each other. So `outcome` finds the id of the account's own earlier
    /// registration, and the write deletes another account's.
    var lock: SQL? { .advisoryLock("push device \(place.topic) \(place.address)") }

    /// The id of the device: its old id if the account has registered it before, otherwise the new id.
    var outcome: SQL { "jsonb_build_object('id', coalesce((select id from (\(device)) as known), \(id)))" }

    static func replay(_ outcome: MutationOutcome) -> SQL? { OwnPushDevices(ids: [outcome.id]).sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> PushDevice? { row.map { PushDevice(row: $0) } }
}

struct UnregisterPushDevice: Mutation {
    static let name = "unregisterPushDevice"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.device) }

    var write: SQL {
        """
        with deleted as (delete from push_devices where id = \(id) and user_id = viewer_id() returning id) \
        select where exists (select from deleted) or refuse('NOT_FOUND')
        """
    }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Deleted? {
        Deleted(id: TypeID(.device, outcome.id))
    }
}
