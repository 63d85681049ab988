import Postgres

/// The people hidden from a viewer: those whom the viewer blocked, and those who blocked the viewer. A moderator sees
/// the people who blocked the moderator.
enum HiddenPeople {
    /// The call that sets `app.hidden`, which the policies and `hidden_ids()` read. In its statement it follows the
    /// call that sets `app.viewer_id`. For more than a hundred people it sets `{NULL}` instead of a list, and the
    /// policies look up the owner of each row.
    ///
    /// PostgreSQL sets up every part of an expression before it runs the statement, even a part that it never
    /// evaluates. Most viewers have no row. So the costly part is in the function `hidden_setting`, which is called
    /// only for viewers with a row.
    static func setting(of viewer: UUID) -> SQL {
        """
        set_config('app.hidden', (select case when people > 100 then '{NULL}' \
        else hidden_setting(blocked, blocked_by) end from hidden_people where viewer_id = \(viewer)), true)
        """
    }
}
