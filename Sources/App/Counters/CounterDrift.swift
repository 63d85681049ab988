import Postgres

/// Every stored counter that differs from the rows that it counts; none when all is well. A new counter is a line here.
struct CounterDrift: Statement {
    struct Output: Sendable, Equatable, CustomStringConvertible {
        let object: TypeID
        let counter: String
        let stored: Int32
        let counted: Int32

        var description: String { "\(object) \(counter): \(stored), counted \(counted)" }
    }

    static let lane = Lane.slow

    var sql: SQL {
        """
        select 'thought', t.id, c.name, c.stored, c.counted::integer from thoughts t cross join lateral (values \
        ('like_count', t.like_count, (select count(*) from thought_likes where thought_id = t.id)), \
        ('save_count', t.save_count, (select count(*) from thought_saves where thought_id = t.id)), \
        ('share_count', t.share_count, (select count(*) from thought_shares where thought_id = t.id)), \
        ('comment_count', t.comment_count, (select count(*) from comments where thought_id = t.id)), \
        ('rating_count', t.rating_count, (select count(*) from thought_ratings where thought_id = t.id)), \
        ('rating_total', t.rating_total, \
        (select coalesce(sum(stars), 0) from thought_ratings where thought_id = t.id)) \
        ) as c (name, stored, counted) where c.stored <> c.counted \
        union all \
        select 'event', e.id, c.name, c.stored, c.counted::integer from events e cross join lateral (values \
        ('interested_count', e.interested_count, \
        (select count(*) from event_rsvps where event_id = e.id and status = 'INTERESTED')), \
        ('going_count', e.going_count, \
        (select count(*) from event_rsvps where event_id = e.id and status = 'GOING')), \
        ('comment_count', e.comment_count, (select count(*) from comments where event_id = e.id)) \
        ) as c (name, stored, counted) where c.stored <> c.counted
        """
    }

    func decode(_ row: Row) throws -> Output {
        Output(
            object: TypeID(row.string(0) == "event" ? .event : .thought, row.uuid(1)), counter: row.string(2),
            stored: row.int32(3), counted: row.int32(4))
    }
}
