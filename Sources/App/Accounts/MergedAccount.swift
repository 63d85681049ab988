import Postgres

/// The anonymous account of a session that signs in to another account, and what happens to it then.
struct MergedAccount {
    let source: UUID
    let session: NewSession

    /// Where the new session began, and as long as the account is anonymous.
    func endSessions(_ environment: Environment) -> SQL {
        """
        with merged as (select u.id from users u where u.id = \(source) and u.is_anonymous \
        and u.id <> \(session.userID) and exists (select from sessions where id = \(session.id)) for update), \
        \(EndSession.parts(where: "s.user_id = (select id from merged)", environment)) \
        select \(unsafe: EndSession.ids)
        """
    }

    /// Up to a batch in this transaction; `AccountMerge` moves the rest.
    var move: SQL {
        """
        select begin_merge(\(source), \(session.userID), \(AccountBatch.size)) \
        where exists (select from sessions where id = \(session.id))
        """
    }
}
