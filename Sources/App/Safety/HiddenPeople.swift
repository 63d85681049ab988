import Postgres

/// The people hidden from a viewer: those whom the viewer blocked, and those who blocked the viewer. A moderator sees
/// the people who blocked the moderator.
enum HiddenPeople {
    /// The call that sets `app.hidden`, which the policies and `hidden_ids()` read. In its statement it follows the
    /// call that sets `app.viewer_id`.
    static func setting(of viewer: UUID) -> SQL {
        """
        set_config('app.hidden', (select case \
        when people > 100 then case when viewer_is_moderator() then 'BLOCKED' else 'EITHER' end \
        when blocked_by = '{}' or viewer_is_moderator() then blocked::text \
        else (blocked || blocked_by)::text end from hidden_people where viewer_id = \(viewer)), true)
        """
    }
}
