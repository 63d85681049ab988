import Postgres

/// What a mail is about; the database has these names.
enum MailKind: String, Sendable {
    case confirmEmail = "CONFIRM_EMAIL"
    case resetPassword = "RESET_PASSWORD"
    case passwordChanged = "PASSWORD_CHANGED"
    case emailChangeRequested = "EMAIL_CHANGE_REQUESTED"
    case emailChanged = "EMAIL_CHANGED"
}

/// A mail that is queued in the transaction of what it tells of.
struct NewMail {
    private let id: UUID
    private let kind: MailKind

    init(_ environment: Environment, _ kind: MailKind) {
        id = environment.newID()
        self.kind = kind
    }

    func insert(recipient: SQL, user: SQL) -> SQL {
        "insert into mails (id, kind, recipient, user_id) values (\(id), \(kind.rawValue), \(recipient), \(user))"
    }

    /// For one row at most: the recipient, the account and the other address that it is about.
    func insert(from query: SQL) -> SQL {
        """
        insert into mails (id, kind, recipient, user_id, detail) \
        select \(id), \(kind.rawValue), m.* from (\(query)) as m (recipient, user_id, detail)
        """
    }
}
