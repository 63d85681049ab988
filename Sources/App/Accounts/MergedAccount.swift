import Postgres

/// The viewer's account in a sign-in with `mergeAnonymous`. It is merged into the account that is signed in to, whose
/// new session is `session`. Only the SQL checks that the viewer's account is anonymous.
struct MergedAccount {
    let source: UUID
    let session: NewSession

    /// Ends the sessions of the viewer's account, if the new session was inserted and the account is still anonymous.
    func endSessions(_ environment: Environment) -> SQL {
        """
        with merged as (select u.id from users u where u.id = \(source) and u.is_anonymous \
        and u.id <> \(session.userID) and exists (select from sessions where id = \(session.id)) for update), \
        \(EndSession.parts(where: "s.user_id = (select id from merged)", environment)) \
        select \(unsafe: EndSession.ids)
        """
    }

    /// Moves up to 10,000 claims, and at most one batch of other rows, in the sign-in's transaction. `AccountMerge`
    /// moves the other rows that are left.
    var move: SQL {
        """
        select begin_merge(\(source), \(session.userID), \(AccountBatch.size)) \
        where exists (select from sessions where id = \(session.id))
        """
    }
}
