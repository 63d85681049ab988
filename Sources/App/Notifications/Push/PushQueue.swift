import Postgres

/// A push message for a device, with the text as it is when the message is sent.
public struct PushMessage: Sendable {
    public let target: PushTarget
    /// The notification's id. A newer message with the same id replaces an older one on the device.
    public let notificationID: TypeID
    public let kind: String
    public let text: String
    public let subjectID: TypeID?
    /// The number of the account's unread notifications, for the app's badge.
    public let unreadCount: Int
}

/// The push service's answer.
public enum PushOutcome: Sendable, Equatable {
    case sent
    /// The device's registration has ended: status 404 or 410.
    case gone
    /// A temporary failure; the reason is for the log.
    case failed(String)
    /// A permanent failure: the message or the server's credentials are refused. The reason is for the log.
    case refused(String)
}

/// Sends the queued push messages in the background. Any number of replicas may run it: each takes messages that no
/// other has locked.
///
/// A taken message becomes due again after a time that doubles with each attempt, so that a replica may end at any
/// moment. A message is deleted once it has been sent.
///
/// A message is held before its first attempt. By then it is dropped if the device's session has proven that it has the
/// change live, or if the notification has been read.
public struct PushQueue: Sendable {
    static let batchSize = 50
    static let maximumAttempts: Int32 = 8
    private static let interval: Duration = .seconds(1)
    private static let concurrentSends = 8

    private let environment: Environment
    private let hold: Duration
    private let send: @Sendable (PushMessage) async -> PushOutcome

    /// - Parameters:
    ///   - hold: the time for which a message is held before its first attempt.
    ///   - send: delivers one message.
    public init(
        _ environment: Environment, hold: Duration = .seconds(2),
        send: @escaping @Sendable (PushMessage) async -> PushOutcome
    ) {
        self.environment = environment
        self.hold = hold
        self.send = send
    }

    /// Sends due messages until the task is cancelled. A failure is logged and does not end the loop.
    public func run() async {
        await environment.worker("the push queue", every: Self.interval) {
            try await dealWithDue().due < Self.batchSize ? .afterInterval : .atOnce
        }.run()
    }

    /// Sends a batch of due messages.
    /// - Returns: the number of messages that were due, and of those that were not dropped.
    func dealWithDue() async throws -> (due: Int, taken: Int) {
        let found = try await environment.pools.worker.run(DuePushMessages(hold: hold))
        let due = found.compactMap(\.taken)
        let numbers = (due: found.first?.due ?? 0, taken: due.count)
        if due.isEmpty { return numbers }
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
        return numbers
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
        // Tried again after a deadlock: the end of a session deletes its devices with their messages in another order.
        _ = try await environment.pools.worker.retrying(
            Segment([
                """
                delete from push_queue q using unnest(\(done.map(\.deviceID)), \
                \(done.map(\.message.notificationID.uuid)), \(done.map(\.toldIn))) \
                as done (device_id, notification_id, told_in) where q.device_id = done.device_id \
                and q.notification_id = done.notification_id and q.told_in::text::bigint = done.told_in
                """,
                "delete from push_devices where id = any(\(gone))",
            ]))
    }
}

struct QueuedPush: Sendable {
    let deviceID: UUID
    let attempts: Int32
    /// The transaction that queued the message. A later transaction may queue more for the same notification while this
    /// one is sent.
    let toldIn: Int64
    let message: PushMessage
}

/// Takes the messages that are due. It drops a message if the notification was read or the device's session has it
/// live, if all its actors are blocked or deleted by now, if its account is suspended or being removed, and if the
/// device's registration has ended.
private struct DuePushMessages: Statement {
    let hold: Duration

    var sql: SQL {
        """
        with due as (select q.device_id, q.notification_id, \(isVoid) as is_void, hidden.people \
        from push_queue q join push_devices d on d.id = q.device_id join notifications n on n.id = q.notification_id \
        cross join lateral (select people_hidden_from(n.user_id) as people) hidden where q.due_at <= now() \
        and (q.attempts > 0 or q.due_at <= now() - make_interval(secs => \(hold / .seconds(1)))) \
        order by q.due_at limit \(Int64(PushQueue.batchSize)) for update of q skip locked), \
        dropped as (delete from push_queue q using due \
        where q.device_id = due.device_id and q.notification_id = due.notification_id and due.is_void), \
        taken as (update push_queue q set attempts = q.attempts + 1, \
        due_at = now() + least(interval '1 hour', interval '30 seconds' * power(2, q.attempts)) \
        from due join push_devices d on d.id = due.device_id join notifications n on n.id = due.notification_id \
        left join lateral (select f.sentence \
        from notification_without(n.kind, n.actors, n.actor_count, n.text, due.people) f \
        where n.actor_id is not null and (n.actors && due.people \
        or not exists (select from users u where u.id = n.actor_id))) shown on true \
        where q.device_id = due.device_id and q.notification_id = due.notification_id and not due.is_void \
        returning q.device_id, q.attempts, d.transport, d.address, d.topic, d.sandbox, d.p256dh, d.auth, n.id, n.kind, \
        coalesce(shown.sentence, n.text) as sentence, n.subject_type, n.subject_id, \
        (select count(*) from notifications u where u.user_id = n.user_id and u.read_at is null \
        and (u.actors = '{}' or not u.actors <@ due.people)) as unread, q.told_in::text::bigint as told_in) \
        select taken.*, looked.due from (select count(*) as due from due) looked left join taken on true
        """
    }

    /// The aliases are `q`, the message; `d`, its device; `n`, its notification; and `untold`, the people whom that
    /// notification may not name.
    private var isVoid: SQL {
        """
        n.read_at is not null or n.user_id = any(hidden.people) or n.actors <> '{}' and n.actors <@ hidden.people \
        or exists (select from push_receipts r where r.session_id = d.session_id \
        and r.subject_id = q.notification_id and r.up_to >= q.told_in::text::bigint) \
        or n.kind = 'MESSAGE' and exists (select from push_receipts r where r.session_id = d.session_id \
        and r.subject_id = n.subject_id and r.up_to >= q.message_number) \
        or exists (select from suspensions s where s.user_id = n.user_id and s.until > now()) \
        or d.session_id is null and \(unsafe: PushDevice.end) <= now() \
        or d.session_id is not null \
        and not exists (select from sessions s where s.id = d.session_id and \(unsafe: Session.isAlive))
        """
    }

    func decode(_ row: Row) -> (due: Int, taken: QueuedPush?) {
        let due = Int(row.int64(15))
        guard let device = row.uuid(optional: 0) else { return (due, nil) }
        let target =
            row.string(2) == "APNS"
            ? PushTarget.apns(deviceToken: row.string(3), topic: row.string(4), sandbox: row.bool(5))
            : .webPush(endpoint: row.string(3), p256dh: row.bytes(6), auth: row.bytes(7))
        let message = PushMessage(
            target: target, notificationID: TypeID(.notification, row.uuid(8)), kind: row.string(9),
            text: row.string(10), subjectID: TypeID.Kind(rawValue: row.string(11)).map { TypeID($0, row.uuid(12)) },
            unreadCount: Int(row.int64(13)))
        return (due, QueuedPush(deviceID: device, attempts: row.int32(1), toldIn: row.int64(14), message: message))
    }
}
