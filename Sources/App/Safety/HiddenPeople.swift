import Postgres

/// Whom somebody sees nothing of: those whom they blocked, and those who blocked them. A moderator sees the latter.
enum HiddenPeople {
    /// Puts them into `app.hidden`, which the policies and `hidden_ids()` read; behind `app.viewer_id` in its statement.
    static func setting(of viewer: UUID) -> SQL {
        """
        set_config('app.hidden', (select (case when blocked_by = '{}' or viewer_is_moderator() then blocked \
        else blocked || blocked_by end)::text from hidden_people where viewer_id = \(viewer)), true)
        """
    }
}
