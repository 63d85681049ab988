import Postgres

/// A mail of the queue, leased for one attempt.
struct QueuedMail: Sendable {
    let id: UUID
    let kind: MailKind
    let recipient: String
    let userID: UUID?
    let detail: String?
    /// The number of attempts, the present one included.
    let tries: Int
    let createdAt: Timestamp

    /// The seconds until the next attempt: 30 after the first, then twice as long each time, up to an hour.
    var backOff: Double { min(3600, 30 * Double(1 << min(tries - 1, 10))) }

    /// The maximum number of attempts, which extend over about five hours.
    static let maximumTries = 12

    var delete: SQL { "delete from mails where id = \(id)" }

    var postpone: SQL { "update mails set due_at = now() + make_interval(secs => \(backOff)) where id = \(id)" }
}

/// Leases the mail that has been due for longest. The lease lasts two minutes: if the replica ends before it has sent
/// the mail, the mail is due again after that time. A mail of a kind that this server does not know stays as it is: while
/// replicas are replaced, a newer one queues and sends it.
struct LeaseMail: Statement {
    private static let kinds = MailKind.allCases.map(\.rawValue)

    var sql: SQL {
        """
        update mails set due_at = now() + interval '2 minutes', tries = tries + 1 \
        where id = any(array(select id from mails where due_at <= now() and kind = any(\(Self.kinds)) \
        order by due_at limit 1 \
        for update skip locked)) returning id, kind, recipient, user_id, detail, tries, created_at
        """
    }

    func decode(_ row: Row) -> QueuedMail? {
        MailKind(rawValue: row.string(1)).map {
            QueuedMail(
                id: row.uuid(0), kind: $0, recipient: row.string(2), userID: row.uuid(optional: 3),
                detail: row.string(optional: 4), tries: Int(row.int32(5)), createdAt: row.timestamp(6))
        }
    }
}

/// The name with which a mail greets its recipient; no row if the mail has become pointless. For a mail with a link it
/// also issues the token, unless the mail was deleted from the queue since it was leased.
struct MailGreeting: Statement {
    let mail: QueuedMail
    /// The hash of the link's token, which is stored for the recipient's account if the mail has a link.
    let tokenHash: [UInt8]

    var sql: SQL {
        switch mail.kind {
        case .confirmEmail:
            issuing(
                "CONFIRM_EMAIL", interval: "24 hours",
                """
                k.user_id = \(mail.userID) \
                and (k.pending_email = \(mail.recipient) or k.email = \(mail.recipient) and k.email_verified_at is null)
                """)
        case .resetPassword: issuing("RESET_PASSWORD", interval: "10 minutes", "k.email = \(mail.recipient)")
        case .passwordChanged, .emailChangeRequested, .emailChanged:
            "select u.display_name from users u where u.id = \(mail.userID)"
        }
    }

    /// Locks the credentials for which a token is issued; nil for a mail without a link. A change of the password that comes
    /// second waits for this lock and deletes the token. One that comes first has deleted the mail, and no token is issued.
    var lock: SQL? {
        switch mail.kind {
        case .confirmEmail: "select from credentials where user_id = \(mail.userID) for share"
        case .resetPassword: "select from credentials where email = \(mail.recipient) for share"
        case .passwordChanged, .emailChangeRequested, .emailChanged: nil
        }
    }

    private func issuing(_ purpose: String, interval: String, _ condition: SQL) -> SQL {
        """
        with issued as (insert into one_time_tokens (hash, user_id, purpose, email, expires_at) \
        select \(tokenHash), k.user_id, \(purpose), \(mail.recipient), now() + \(interval)::text::interval \
        from credentials k where \(condition) and exists (select from mails where id = \(mail.id)) \
        on conflict do nothing returning user_id) \
        select u.display_name from users u join issued on issued.user_id = u.id
        """
    }

    func decode(_ row: Row) -> String { row.string(0) }
}
