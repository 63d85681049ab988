import Postgres

/// Compares what was read with itself and with the database: whose name is taken, which references lead nowhere, what an
/// earlier import wrote. What remains in the tables planned_… can be written. All problems are found here, so that a
/// dry run reports what a run does, and a repeated run what the first did.
struct Plan {
    let connection: DedicatedConnection
    let source: String
    /// The bytes that an account's images may take up.
    let imageQuota: Int
    let report: ImportReport

    func make() async throws {
        try await execute(Self.problems)
        try await planAccounts()
        try await execute(people)
        try await planObjects()
        try await execute(subjects)
        try await planComments()
        try await planActs()
        try await planImages()
        try await reportProblems()
        try await count()
    }

    private func execute(_ statements: SQL...) async throws {
        for statement in statements { try await connection.execute(statement) }
    }

    /// `path` and `field` as in the report.
    private static var problems: SQL {
        """
        create temporary table problems (n bigint, effect text, path text, field text, reason text, detail text)
        """
    }

    // MARK: - Accounts

    private func planAccounts() async throws {
        try await execute(
            "analyze staged_accounts, staged_profiles",
            Self.repeated("staged_accounts", "uid", path: "'auth/' || uid", reason: "The id occurs a second time."),
            Self.repeated("staged_profiles", "uid", path: "path", reason: "The account has a second profile."),
            """
            create temporary table planned_accounts as \
            select a.n, p.path, a.uid, coalesce(o.object_id, a.id) as id, o.object_id is not null as is_present, \
            a.email, a.is_verified, a.password_hash, p.username, coalesce(p.display_name, a.display_name, p.username) as display_name, \
            case when p.display_name is not null then p.name_skeleton when a.display_name is not null then a.name_skeleton \
            else username_skeleton(p.username) end as name_skeleton, \
            case when p.display_name is null then a.may_imitate else p.may_imitate end as may_imitate, \
            a.generated_name, p.bio, a.is_anonymous, a.is_disabled, a.created_at, p.image, p.image_id, p.image_size \
            from staged_accounts a left join staged_profiles p using (uid) \
            left join imported_objects o on o.source = \(source) and o.kind = 'user' and o.old_id = a.uid
            """,
            "create index on planned_accounts (n)", "create index on planned_accounts (uid)",
            "create index on planned_accounts (name_skeleton)",
            "create index on planned_accounts (username_skeleton(username))", "analyze planned_accounts",
            """
            insert into problems select n, 'refused', path, 'uid', 'No account has this id.', uid from staged_profiles p \
            where not exists (select from planned_accounts a where a.uid = p.uid) \
            and not exists (select from imported_objects o where o.source = \(source) and o.kind = 'user' \
            and o.old_id = p.uid)
            """,
            Self.anonymousNames, Self.anonymousProfiles, Self.takenUsernames, Self.takenAddresses, Self.imitations)
    }

    /// Keeps the first of the rows with one key.
    private static func repeated(
        _ table: StaticString, _ key: StaticString, path: StaticString, reason: StaticString
    ) -> SQL {
        """
        with later as (delete from \(unsafe: table) s using (select n, row_number() over (partition by \(unsafe: key) \
        order by n) as place from \(unsafe: table)) o where o.n = s.n and o.place > 1 returning s.*) \
        insert into problems select n, 'refused', \(unsafe: path), null, '\(unsafe: reason)', null from later
        """
    }

    private static var anonymousNames: SQL {
        """
        insert into problems select n, 'changed', path, null, 'An anonymous account has no profile before it signs up.', \
        null from planned_accounts where is_anonymous and path is not null
        """
    }

    private static var anonymousProfiles: SQL {
        """
        update planned_accounts set username = null, display_name = null, name_skeleton = null, bio = null, image = null \
        where is_anonymous
        """
    }

    /// The account that is older keeps a username. The other does not show it as its name either.
    private static var takenUsernames: SQL {
        """
        with places as (select n, row_number() over (partition by username_skeleton(username) order by created_at, n) \
        as place from planned_accounts where username is not null), \
        taken as (select p.n, p.path, p.username from planned_accounts p join places using (n) \
        where place > 1 or username_is_taken(p.username, p.id)), \
        told as (insert into problems select n, 'changed', path, 'username', \
        'This username is taken, or looks like one that is.', username from taken) \
        update planned_accounts p set username = null, display_name = nullif(p.display_name, p.username), \
        name_skeleton = case when p.display_name <> p.username then p.name_skeleton end from taken t where t.n = p.n
        """
    }

    private static var takenAddresses: SQL {
        """
        with places as (select n, row_number() over (partition by email order by is_verified desc, created_at, n) \
        as place from planned_accounts where email is not null), \
        taken as (select p.n, p.uid, p.email from planned_accounts p join places using (n) where place > 1 \
        or exists (select from credentials k where k.email = p.email and k.user_id <> p.id)), \
        told as (insert into problems select n, 'changed', 'auth/' || uid, 'email', \
        'This e-mail address has an account already, so nobody can sign in to this one.', email from taken) \
        update planned_accounts p set email = null from taken t where t.n = p.n
        """
    }

    private static var imitations: SQL {
        """
        with alike as (select p.n, p.uid, p.display_name from planned_accounts p where p.may_imitate and ( \
        imitates_somebody(p.display_name, p.name_skeleton, p.id) \
        or exists (select from planned_accounts q where q.n <> p.n and q.name_skeleton = p.name_skeleton \
        and lower(q.display_name) <> lower(p.display_name)) \
        or exists (select from planned_accounts q where q.n <> p.n \
        and username_skeleton(q.username) = p.name_skeleton and q.username <> lower(p.display_name)))), \
        told as (insert into problems select n, 'changed', 'auth/' || uid, 'displayName', \
        'This name looks like somebody else''s.', display_name from alike) \
        update planned_accounts p set display_name = null, name_skeleton = null from alike a where a.n = p.n
        """
    }

    /// The accounts that objects can belong to: those of this import, and those that an earlier one wrote and that are
    /// there still.
    private var people: SQL {
        """
        create temporary table people as \
        select uid, id, is_anonymous from planned_accounts a \
        where not is_present or exists (select from users u where u.id = a.id) \
        union all \
        select o.old_id, u.id, u.is_anonymous from imported_objects o join users u on u.id = o.object_id \
        where o.source = \(source) and o.kind = 'user' \
        and not exists (select from planned_accounts a where a.uid = o.old_id)
        """
    }

    // MARK: - Objects

    private func planObjects() async throws {
        try await execute(
            "create index on people (uid)", "analyze people, staged_thoughts, staged_events",
            Self.repeated("staged_thoughts", "old_id", path: "path", reason: "The id occurs a second time."),
            Self.repeated("staged_events", "old_id", path: "path", reason: "The id occurs a second time."),
            Self.withoutAuthor("staged_thoughts"), Self.withoutAuthor("staged_events"),
            Self.byAnonymous("staged_thoughts"), Self.byAnonymous("staged_events"),
            """
            with wrong as (update staged_events e set time_zone = null where time_zone is not null \
            and not time_zone_exists(time_zone) returning n, path) \
            insert into problems select n, 'changed', path, 'timeZone', \
            'This is not an IANA time zone such as Europe/Madrid.', null from wrong
            """,
            """
            create temporary table planned_thoughts as \
            select t.*, p.id as author_id, o.object_id as present_id from staged_thoughts t join people p using (uid) \
            left join imported_objects o on o.source = \(source) and o.kind = 'thought' and o.old_id = t.old_id
            """,
            """
            create temporary table planned_events as \
            select e.*, p.id as author_id, o.object_id as present_id from staged_events e join people p using (uid) \
            left join imported_objects o on o.source = \(source) and o.kind = 'event' and o.old_id = e.old_id
            """,
            "create index on planned_thoughts (n)", "create index on planned_events (n)")
    }

    private static func withoutAuthor(_ table: StaticString) -> SQL {
        """
        with gone as (delete from \(unsafe: table) s where not exists (select from people p where p.uid = s.uid) \
        returning n, path, uid) \
        insert into problems select n, 'refused', path, 'author', 'No account has this id.', uid from gone
        """
    }

    private static func byAnonymous(_ table: StaticString) -> SQL {
        """
        with gone as (delete from \(unsafe: table) s using people p where p.uid = s.uid and p.is_anonymous \
        returning s.n, s.path, s.uid) \
        insert into problems select n, 'refused', path, 'author', \
        'An anonymous account writes nothing before it signs up.', uid from gone
        """
    }

    /// What comments and acts can be on; the path of a document is one object's.
    private var subjects: SQL {
        """
        create temporary table subjects as \
        select distinct on (old_id) * from ( \
        select old_id, coalesce(present_id, id) as id, 'thought' as kind, created_at from planned_thoughts s \
        where present_id is null or exists (select from thoughts t where t.id = s.present_id) \
        union all \
        select old_id, coalesce(present_id, id), 'event', created_at from planned_events s \
        where present_id is null or exists (select from events e where e.id = s.present_id) \
        union all \
        select o.old_id, o.object_id, o.kind, t.created_at from imported_objects o join thoughts t on t.id = o.object_id \
        where o.source = \(source) and o.kind = 'thought' \
        union all \
        select o.old_id, o.object_id, o.kind, e.created_at from imported_objects o join events e on e.id = o.object_id \
        where o.source = \(source) and o.kind = 'event') as every order by old_id, kind desc
        """
    }

    private func planComments() async throws {
        try await execute(
            "create index on subjects (old_id)", "analyze subjects, staged_comments",
            Self.repeated("staged_comments", "old_id", path: "path", reason: "The id occurs a second time."),
            Self.withoutAuthor("staged_comments"), Self.byAnonymous("staged_comments"),
            """
            with gone as (delete from staged_comments c where not exists (select from subjects s \
            where s.old_id = c.subject) returning n, path, subject) \
            insert into problems select n, 'refused', path, 'on', 'What it is on is not imported.', subject from gone
            """,
            """
            create temporary table planned_comments as select c.*, p.id as author_id, s.id as subject_id, \
            s.kind as subject_kind, o.object_id is not null as is_present \
            from staged_comments c join people p using (uid) join subjects s on s.old_id = c.subject \
            left join imported_objects o on o.source = \(source) and o.kind = 'comment' and o.old_id = c.old_id
            """)
    }

    private func planActs() async throws {
        try await execute(
            "analyze staged_acts",
            """
            with gone as (delete from staged_acts a where not exists (select from people p where p.uid = a.uid) \
            returning n, path, uid) \
            insert into problems select n, 'refused', path, 'person', 'No account has this id.', uid from gone
            """,
            """
            with gone as (delete from staged_acts a where not exists (select from subjects s \
            where s.old_id = a.subject and s.kind = case a.kind when 'rsvps' then 'event' else 'thought' end) \
            returning n, path, subject) \
            insert into problems select n, 'refused', path, 'on', 'What it is on is not imported.', subject from gone
            """,
            """
            create temporary table planned_acts as \
            select distinct on (a.kind, s.id, p.id) a.n, a.kind, s.id as subject_id, p.id as person_id, a.stars, \
            a.status, coalesce(a.created_at, s.created_at) as created_at \
            from staged_acts a join people p using (uid) join subjects s on s.old_id = a.subject \
            order by a.kind, s.id, p.id, a.n
            """,
            // Several rows about one person and object are one act.
            """
            delete from planned_acts a where case a.kind \
            when 'likes' then exists (select from thought_likes x where x.thought_id = subject_id and x.user_id = person_id) \
            when 'saves' then exists (select from thought_saves x where x.thought_id = subject_id and x.user_id = person_id) \
            when 'ratings' then exists (select from thought_ratings x where x.thought_id = subject_id \
            and x.user_id = person_id) \
            else exists (select from event_rsvps x where x.event_id = subject_id and x.user_id = person_id) end
            """)
    }

    /// Takes the pictures off that would exceed their owner's quota, in the order of reading.
    private func planImages() async throws {
        try await execute(
            """
            create temporary table planned_images as \
            select n, 'thought' as kind, path, author_id as owner_id, image, image_id, image_size, created_at, \
            present_id is not null as is_present from planned_thoughts where image is not null \
            union all \
            select n, 'event', path, author_id, image, image_id, image_size, created_at, present_id is not null \
            from planned_events where image is not null \
            union all \
            select n, 'user', path, id, image, image_id, image_size, created_at, is_present from planned_accounts \
            where image is not null
            """,
            """
            with sizes as (select image_id, sum(image_size) over (partition by owner_id order by n, kind) as together, \
            (select coalesce(sum(byte_size), 0) from images i where i.owner_id = p.owner_id \
            and i.id not in (select image_id from planned_images)) as others from planned_images p), \
            gone as (delete from planned_images p using sizes s where s.image_id = p.image_id \
            and together + others > \(imageQuota) returning p.n, p.path) \
            insert into problems select n, 'changed', path, 'image', \
            'There is no room left for this image in its owner''s quota.', null from gone
            """,
            "create index on planned_images (kind, n)")
    }

    // MARK: - Report

    private func reportProblems() async throws {
        try await execute(
            "create temporary table numbered_problems as select row_number() over (order by n) as place, * from problems",
            "create index on numbered_problems (place)")
        var place: Int64 = 0
        while true {
            let rows = try await connection.run(NextProblems(after: place))
            guard let last = rows.last else { return }
            for row in rows { report.add(row.problem) }
            place = last.place
        }
    }

    private func count() async throws {
        for planned in try await connection.run(PlannedCounts()) {
            report.count(planned.name) {
                $0.written = planned.new
                $0.present = planned.present
            }
        }
    }
}

private struct NextProblems: Statement {
    let after: Int64

    var sql: SQL {
        """
        select place, effect, path, field, reason, detail from numbered_problems where place > \(after) \
        order by place limit 1000
        """
    }

    func decode(_ row: Row) -> (place: Int64, problem: ImportReport.Problem) {
        let effect = ImportReport.Effect(rawValue: row.string(1)) ?? .refused
        let problem = ImportReport.Problem(
            effect: effect, path: row.string(optional: 2) ?? "", field: row.string(optional: 3),
            reason: row.string(4), detail: row.string(optional: 5))
        return (row.int64(0), problem)
    }
}

private struct PlannedCounts: Statement {
    var sql: SQL {
        """
        select 'accounts', count(*) filter (where not is_present), count(*) filter (where is_present) \
        from planned_accounts union all \
        select 'thoughts', count(*) filter (where present_id is null), count(present_id) from planned_thoughts union all \
        select 'events', count(*) filter (where present_id is null), count(present_id) from planned_events union all \
        select 'comments', count(*) filter (where not is_present), count(*) filter (where is_present) \
        from planned_comments union all \
        select k, (select count(*) from planned_acts where kind = k), (select count(*) from staged_acts where kind = k) \
        - (select count(*) from planned_acts where kind = k) \
        from unnest(array['likes', 'saves', 'ratings', 'rsvps']) as k union all \
        select 'images', count(*) filter (where not is_present), count(*) filter (where is_present) from planned_images
        """
    }

    func decode(_ row: Row) -> (name: String, new: Int, present: Int) {
        (row.string(0), Int(row.int64(1)), Int(row.int64(2)))
    }
}
