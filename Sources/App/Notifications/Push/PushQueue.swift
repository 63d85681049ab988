import Postgres

/// A message for a device, as it stands when it is sent.
public struct PushMessage: Sendable {
    public let target: PushTarget
    /// Of the notification: a newer message about the same replaces an older one.
    public let notificationID: TypeID
    public let kind: String
    public let text: String
    public let subjectID: TypeID?
    /// The account's unread notifications, for the app's badge.
    public let unreadCount: Int
}

public enum PushOutcome: Sendable, Equatable {
    case sent
    /// The device takes nothing any more: 404 and 410.
    case gone
    /// Not now; the reason is for the log.
    case failed(String)
    /// Not ever: the message or the server's credentials are refused.
    case refused(String)
}

/// Sends what stands in the queue, beside the requests: any number of replicas may, each takes what no other has.
///
/// A message that is taken is due again after a while that doubles with each try, so that a process may end at any
/// moment; it is deleted once it was sent.
public struct PushQueue: Sendable {
    static let batchSize = 50
    static let maximumAttempts: Int32 = 8
    private static let interval: Duration = .seconds(1)
    private static let concurrentSends = 8

    private let environment: Environment
    private let send: @Sendable (PushMessage) async -> PushOutcome

    public init(_ environment: Environment, send: @escaping @Sendable (PushMessage) async -> PushOutcome) {
        self.environment = environment
        self.send = send
    }

    public func run() async {
        while !Task.isCancelled {
            var taken = 0
            do {
                taken = try await sendDue()
            } catch {
                environment.logger.warning("the push queue cannot be read", metadata: ["error": "\(error)"])
            }
            if taken < Self.batchSize { try? await Task.sleep(for: Self.interval) }
        }
    }

    /// How many messages were taken.
    func sendDue() async throws -> Int {
        let due = try await environment.pools.worker.run(DuePushMessages())
        if due.isEmpty { return 0 }
        var outcomes: [(message: QueuedPush, outcome: PushOutcome)] = []
        await withTaskGroup(of: (QueuedPush, PushOutcome).self) { group in
            var waiting = due[...]
            for queued in waiting.prefix(Self.concurrentSends) {
                group.addTask { (queued, await send(queued.message)) }
            }
            waiting = waiting.dropFirst(Self.concurrentSends)
            while let (queued, outcome) = await group.next() {
                outcomes.append((queued, outcome))
                guard let next = waiting.popFirst() else { continue }
                group.addTask { (next, await send(next.message)) }
            }
        }
        try await settle(outcomes)
        return due.count
    }

    private func settle(_ outcomes: [(message: QueuedPush, outcome: PushOutcome)]) async throws {
        var done: [QueuedPush] = []
        var gone: [UUID] = []
        for (queued, outcome) in outcomes {
            switch outcome {
            case .sent: done.append(queued)
            case .gone: gone.append(queued.deviceID)
            case .failed(let reason), .refused(let reason):
                environment.logger.info(
                    "a push was not delivered",
                    metadata: ["device": "\(queued.deviceID)", "try": "\(queued.attempts)", "reason": "\(reason)"])
                if queued.attempts >= Self.maximumAttempts { done.append(queued) }
                if case .refused = outcome { done.append(queued) }
            }
        }
        _ = try await environment.pools.worker.run(
            Segment([
                """
                delete from push_queue q using unnest(\(done.map(\.deviceID)), \
                \(done.map(\.message.notificationID.uuid))) as done (device_id, notification_id) \
                where q.device_id = done.device_id and q.notification_id = done.notification_id
                """,
                "delete from push_devices where id = any(\(gone))",
            ]))
    }
}

struct QueuedPush: Sendable {
    let deviceID: UUID
    let attempts: Int32
    let message: PushMessage
}

/// Takes the messages that are due. What was read meanwhile is dropped, and what tells of nobody but people who are
/// blocked by now, or gone.
private struct DuePushMessages: Statement {
    var sql: SQL {
        """
        with due as (select q.device_id, q.notification_id, \
        n.read_at is not null or n.user_id = any(untold.people) or n.actors <@ untold.people as is_void, untold.people \
        from push_queue q join notifications n on n.id = q.notification_id \
        cross join lateral (select people_untold(n.user_id) as people) untold where q.due_at <= now() \
        order by q.due_at limit \(Int64(PushQueue.batchSize)) for update of q skip locked), \
        dropped as (delete from push_queue q using due \
        where q.device_id = due.device_id and q.notification_id = due.notification_id and due.is_void) \
        update push_queue q set attempts = q.attempts + 1, \
        due_at = now() + least(interval '1 hour', interval '30 seconds' * power(2, q.attempts)) \
        from due join push_devices d on d.id = due.device_id join notifications n on n.id = due.notification_id \
        left join lateral (select f.sentence \
        from notification_without(n.kind, n.actors, n.actor_count, n.text, due.people) f \
        where n.actors && due.people or not exists (select from users u where u.id = n.actor_id)) shown on true \
        where q.device_id = due.device_id and q.notification_id = due.notification_id and not due.is_void \
        returning q.device_id, q.attempts, d.transport, d.address, d.topic, d.sandbox, d.p256dh, d.auth, n.id, n.kind, \
        coalesce(shown.sentence, n.text), n.subject_type, n.subject_id, \
        (select count(*) from notifications u where u.user_id = n.user_id and u.read_at is null \
        and not u.actors <@ due.people)
        """
    }

    func decode(_ row: Row) -> QueuedPush {
        let target =
            row.string(2) == "APNS"
            ? PushTarget.apns(deviceToken: row.string(3), topic: row.string(4), sandbox: row.bool(5))
            : .webPush(endpoint: row.string(3), p256dh: row.bytes(6), auth: row.bytes(7))
        return QueuedPush(
            deviceID: row.uuid(0), attempts: row.int32(1),
            message: PushMessage(
                target: target, notificationID: TypeID(.notification, row.uuid(8)), kind: row.string(9),
                text: row.string(10),
                subjectID: TypeID.Kind(rawValue: row.string(11)).map { TypeID($0, row.uuid(12)) },
                unreadCount: Int(row.int64(13))))
    }
}
