import Postgres

/// The people hidden from a viewer: those whom the viewer blocked, and those who blocked the viewer. A moderator sees
/// the people who blocked the moderator.
enum HiddenPeople {
    /// The call that sets `app.hidden`, which the policies and `hidden_ids()` read. In its statement it follows the
    /// call that sets `app.viewer_id`. The function is called only for viewers with blocks: PostgreSQL prepares each part
    /// of an expression in every segment, whether or not a row needs it.
    static func setting(of viewer: UUID) -> SQL {
        """
        set_config('app.hidden', (select case when people > 100 then '{NULL}' \
        else hidden_setting(blocked, blocked_by) end from hidden_people where viewer_id = \(viewer)), true)
        """
    }
}
