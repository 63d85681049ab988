import Postgres

/// Every row that matters, as a superuser sees it.
struct Truth: Equatable {
    struct Line: Hashable, Sendable {
        /// Whose row it is; nil where it is nobody's.
        let owner: UUID?
        /// Without the counters and the number in the log, which an act of others changes.
        let row: String
        let counters: String
    }

    let lines: Set<Line>

    init(of world: World) async throws { lines = Set(try await world.rows(TruthLines())) }

    /// Rows of everyone but `viewer`.
    func rows(ofOthersThan viewer: UUID) -> Set<String> {
        Set(lines.filter { $0.owner != nil && $0.owner != viewer }.map(\.row))
    }
}

private struct TruthLines: Statement {
    var sql: SQL {
        """
        with lines (owner, name, line) as ( \
        select id, 'users', to_jsonb(x) from users x \
        union all select user_id, 'credentials', to_jsonb(x) from credentials x \
        union all select user_id, 'sessions', to_jsonb(x) from sessions x \
        union all select (select user_id from sessions where id = session_id), 'revoked', to_jsonb(x) \
        from revoked_sessions x \
        union all select blocker_id, 'blocks', to_jsonb(x) from blocks x \
        union all select owner_id, 'images', to_jsonb(x) from images x \
        union all select author_id, 'thoughts', to_jsonb(x) from thoughts x \
        union all select user_id, 'thought_likes', to_jsonb(x) from thought_likes x \
        union all select user_id, 'thought_saves', to_jsonb(x) from thought_saves x \
        union all select user_id, 'thought_ratings', to_jsonb(x) from thought_ratings x \
        union all select user_id, 'thought_shares', to_jsonb(x) from thought_shares x \
        union all select null, 'hidden_people', to_jsonb(x) from hidden_people x \
        union all select null, 'reports', to_jsonb(x) from reports x \
        union all select null, 'report_images', to_jsonb(x) from report_images x \
        union all select null, 'moderation_log', to_jsonb(x) from moderation_log x \
        union all select null, 'suspensions', to_jsonb(x) from suspensions x \
        union all select author_id, 'events', to_jsonb(x) from events x \
        union all select user_id, 'event_rsvps', to_jsonb(x) from event_rsvps x \
        union all select author_id, 'comments', to_jsonb(x) from comments x \
        union all select null, 'conversations', to_jsonb(x) from conversations x \
        union all select user_id, 'conversation_members', to_jsonb(x) from conversation_members x \
        union all select author_id, 'messages', to_jsonb(x) from messages x \
        union all select case when read_at is not null then user_id end, 'notifications', to_jsonb(x) \
        from notifications x \
        union all select user_id, 'push_devices', to_jsonb(x) from push_devices x \
        union all select account_id, 'idempotency', to_jsonb(x) from idempotency x \
        union all select user_id, 'one_time_tokens', to_jsonb(x) from one_time_tokens x \
        union all select user_id, 'mails', to_jsonb(x) from mails x \
        union all select user_id, 'deleted_accounts', to_jsonb(x) from deleted_accounts x \
        union all select source_id, 'account_merges', to_jsonb(x) from account_merges x \
        union all select null, 'change_log', jsonb_build_object('id', id) from change_log \
        ), counters (keys) as (select array['like_count', 'comment_count', 'save_count', 'share_count', \
        'rating_count', 'rating_total', 'interested_count', 'going_count', 'newest_from_others', 'last_message_at', \
        'changed_in']) \
        select owner, name || ' ' || (line - keys)::text, line::text from lines, counters
        """
    }

    func decode(_ row: Row) -> Truth.Line {
        Truth.Line(owner: row.uuid(optional: 0), row: row.string(1), counters: row.string(2))
    }
}
