import Postgres

/// The anonymous account of a session that signs in to another account.
struct MergedAccount {
    let source: UUID
    let session: NewSession

    /// Ends the sessions of the anonymous account, if the new session was inserted and the account is still anonymous.
    func endSessions(_ environment: Environment) -> SQL {
        """
        with merged as (select u.id from users u where u.id = \(source) and u.is_anonymous \
        and u.id <> \(session.userID) and exists (select from sessions where id = \(session.id)) for update), \
        \(EndSession.parts(where: "s.user_id = (select id from merged)", environment)) \
        select \(unsafe: EndSession.ids)
        """
    }

    /// Moves at most one batch of rows in the sign-in's transaction; `AccountMerge` moves the rest.
    var move: SQL {
        """
        select begin_merge(\(source), \(session.userID), \(AccountBatch.size)) \
        where exists (select from sessions where id = \(session.id))
        """
    }
}
