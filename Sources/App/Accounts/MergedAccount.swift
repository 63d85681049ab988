import Postgres

/// The anonymous account of a session that signs in to another account. An account that is deleted, or whose merge into
/// another account has begun, is left as it is. Its access token may still be accepted for a moment.
struct MergedAccount {
    let source: UUID
    let session: NewSession

    /// Locks the anonymous account. The statements afterwards see the devices that registered while this one waited.
    var lock: SQL { "select from users where id = \(source) and is_anonymous for update" }

    /// True if the new session was inserted, and the account is neither deleted nor being merged.
    private var mayBegin: SQL {
        "exists (select from sessions where id = \(session.id)) and not \(Credentials.isDeleted("\(source)"))"
    }

    /// Ends the sessions of the anonymous account, if the merge may begin and the account is still anonymous. The new
    /// session takes over the push registrations.
    func endSessions(_ environment: Environment) -> SQL {
        """
        with merged as (select u.id from users u where u.id = \(source) and u.is_anonymous \
        and u.id <> \(session.userID) and \(mayBegin)), \
        taken as (update push_devices d set user_id = \(session.userID), session_id = \(session.id) from merged \
        where d.user_id = merged.id), \
        \(EndSession.parts(where: "s.user_id = (select id from merged)", environment)) \
        select \(unsafe: EndSession.ids)
        """
    }

    /// Moves at most one batch of rows in the sign-in's transaction; `AccountMerge` moves the rest.
    var move: SQL {
        "select begin_merge(\(source), \(session.userID), \(AccountBatch.size)) where \(mayBegin)"
    }
}
