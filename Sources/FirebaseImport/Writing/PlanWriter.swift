import App
import Cryptography
import Postgres

/// Writes the planned rows in small transactions. Each transaction writes its objects together with their old ids, by
/// which a repeated import finds them. Triggers count and log the rows like those of requests.
struct PlanWriter {
    private static let batch: Int64 = 500

    let connection: DedicatedConnection
    let source: String
    let folder: StorageFolder?
    let report: ImportReport

    func write() async throws {
        try await write(Self.newAccounts, Self.account, images: "user")
        try await write(Self.newThoughts, Self.thought, images: "thought")
        try await write(Self.newEvents, Self.event, images: "event")
        try await write(Self.newComments, Self.comment)
        try await write(Self.newActs) { _, slice in Self.acts(slice) }
        try await connection.execute(
            script: """
                vacuum analyze users, credentials, images, thoughts, events, comments, thought_likes, thought_saves, \
                thought_ratings, event_rsvps, imported_objects
                """)
    }

    /// The rows of a planned table with `first` < n <= `last`.
    struct Slice {
        let first: Int64
        let last: Int64

        var condition: SQL { "n > \(first) and n <= \(last)" }
    }

    private func write(
        _ new: SQL, _ statements: (String, Slice) -> [SQL], images kind: String? = nil
    ) async throws {
        var first: Int64 = 0
        while let last = try await connection.run(SliceEnd(of: new, after: first, batch: Self.batch)).first ?? nil {
            let slice = Slice(first: first, last: last)
            let images = kind == "user" ? nil : kind
            try await connection.transaction { connection in
                try await connection.execute("select set_config('app.import', 'on', true)")
                if let images { try await storeImages(of: images, slice) }
                for statement in statements(source, slice) { try await connection.execute(statement) }
                // An account's picture refers to its owner, whose row has to be there first.
                if kind == "user" {
                    try await storeImages(of: "user", slice)
                    try await connection.execute(Self.avatars(slice))
                }
            }
            first = last
        }
    }

    // MARK: - Statements

    private static var newAccounts: SQL { "select n from planned_accounts where not is_present" }
    private static var newThoughts: SQL { "select n from planned_thoughts where present_id is null" }
    private static var newEvents: SQL { "select n from planned_events where present_id is null" }
    private static var newComments: SQL { "select n from planned_comments where not is_present" }
    private static var newActs: SQL { "select n from planned_acts where true" }

    private static func account(_ source: String, _ slice: Slice) -> [SQL] {
        [
            """
            insert into users (id, username, display_name, name_skeleton, bio, is_anonymous, created_at) \
            select id, username, coalesce(display_name, generated_name), name_skeleton, bio, is_anonymous, created_at \
            from planned_accounts where not is_present and \(slice.condition) order by n
            """,
            """
            insert into credentials (user_id, email, email_verified_at, password_hash) \
            select id, email, case when is_verified then created_at end, password_hash from planned_accounts \
            where not is_present and email is not null and \(slice.condition)
            """,
            """
            insert into suspensions (user_id, until, reason) select id, '9999-12-31T00:00:00Z', 'OTHER' \
            from planned_accounts where not is_present and is_disabled and \(slice.condition)
            """,
            """
            insert into imported_objects (source, kind, old_id, object_id) select \(source), 'user', uid, id \
            from planned_accounts where not is_present and \(slice.condition)
            """,
        ]
    }

    private static func avatars(_ slice: Slice) -> SQL {
        """
        update users u set avatar_id = i.image_id from planned_images i join images s on s.id = i.image_id \
        where u.id = i.owner_id and i.kind = 'user' and not i.is_present and \(slice.condition)
        """
    }

    private static func thought(_ source: String, _ slice: Slice) -> [SQL] {
        [
            """
            insert into thoughts (id, author_id, category, title, text, image_id, status, created_at, published_at, \
            updated_at) select id, author_id, category, title, text, (select s.id from planned_images i \
            join images s on s.id = i.image_id where i.kind = 'thought' and i.n = t.n), status, created_at, \
            case when status = 'PUBLISHED' then created_at end, updated_at \
            from planned_thoughts t where present_id is null and \(slice.condition) order by n
            """,
            """
            insert into imported_objects (source, kind, old_id, object_id) select \(source), 'thought', old_id, id \
            from planned_thoughts where present_id is null and \(slice.condition)
            """,
        ]
    }

    private static func event(_ source: String, _ slice: Slice) -> [SQL] {
        [
            """
            insert into events (id, author_id, name, description, location, image_id, starts_at, ends_at, time_zone, \
            created_at, updated_at) select id, author_id, name, description, location, (select s.id \
            from planned_images i join images s on s.id = i.image_id where i.kind = 'event' and i.n = e.n), starts_at, \
            ends_at, time_zone, created_at, created_at \
            from planned_events e where present_id is null and \(slice.condition) order by n
            """,
            """
            insert into imported_objects (source, kind, old_id, object_id) select \(source), 'event', old_id, id \
            from planned_events where present_id is null and \(slice.condition)
            """,
        ]
    }

    /// Inserts by thoughts, then events, each in the order of their ids. Every transaction that locks several subjects
    /// locks them in this order, so that none deadlock.
    private static func comment(_ source: String, _ slice: Slice) -> [SQL] {
        [
            """
            insert into comments (id, author_id, thought_id, event_id, text, created_at) \
            select id, author_id, case subject_kind when 'thought' then subject_id end, \
            case subject_kind when 'event' then subject_id end, text, created_at from planned_comments \
            where not is_present and \(slice.condition) order by subject_kind desc, subject_id, n
            """,
            """
            insert into imported_objects (source, kind, old_id, object_id) select \(source), 'comment', old_id, id \
            from planned_comments where not is_present and \(slice.condition)
            """,
        ]
    }

    /// Locks the subjects first, in the order that `comment(_:_:)` names, because each statement has an order of its
    /// own.
    private static func acts(_ slice: Slice) -> [SQL] {
        [
            """
            select lock_counting(array(select subject_id from planned_acts where kind <> 'rsvps' and \(slice.condition)), \
            array(select subject_id from planned_acts where kind = 'rsvps' and \(slice.condition)))
            """,
            """
            insert into thought_likes (thought_id, user_id, created_at) select subject_id, person_id, created_at \
            from planned_acts where kind = 'likes' and \(slice.condition) order by subject_id on conflict do nothing
            """,
            """
            insert into thought_saves (thought_id, user_id, created_at) select subject_id, person_id, created_at \
            from planned_acts where kind = 'saves' and \(slice.condition) order by subject_id on conflict do nothing
            """,
            """
            insert into thought_ratings (thought_id, user_id, stars, created_at) \
            select subject_id, person_id, stars, created_at \
            from planned_acts where kind = 'ratings' and \(slice.condition) order by subject_id on conflict do nothing
            """,
            """
            insert into event_rsvps (event_id, user_id, status, created_at) \
            select subject_id, person_id, status, created_at \
            from planned_acts where kind = 'rsvps' and \(slice.condition) order by subject_id on conflict do nothing
            """,
        ]
    }

    // MARK: - Images

    private func storeImages(of kind: String, _ slice: Slice) async throws {
        guard let folder else { return }
        for planned in try await connection.run(PlannedImages(kind: kind, slice: slice)) {
            do {
                let image = try folder.image(planned.file)
                let digest = SHA256.digest(of: image.bytes).bytes
                // Contents that are stored already are updated without a change. The update's lock keeps the sweep from
                // deleting them before the image refers to them.
                try await connection.execute(
                    """
                    insert into image_contents (sha256, bytes) values (\(digest), \(image.bytes)) \
                    on conflict (sha256) do update set created_at = image_contents.created_at
                    """)
                try await connection.execute(
                    """
                    insert into images (id, owner_id, sha256, mime_type, width, height, byte_size, created_at) \
                    values (\(planned.id), \(planned.owner), \(digest), \(image.mimeType), \(image.width), \
                    \(image.height), \(Int32(image.bytes.count)), \(planned.createdAt)) on conflict do nothing
                    """)
            } catch let refusal as WrittenText.Refusal {
                // The file has changed since it was read for the plan.
                report.add(.init(effect: .changed, path: planned.path, field: "image", reason: refusal.reason))
            }
        }
    }
}

private struct SliceEnd: Statement {
    let new: SQL
    let after: Int64
    let batch: Int64

    init(of new: SQL, after: Int64, batch: Int64) { (self.new, self.after, self.batch) = (new, after, batch) }

    var sql: SQL { "select max(n) from (\(new) and n > \(after) order by n limit \(batch)) as slice" }

    func decode(_ row: Row) -> Int64? { row.int64(optional: 0) }
}

private struct PlannedImages: Statement {
    let kind: String
    let slice: PlanWriter.Slice

    var sql: SQL {
        """
        select coalesce(path, ''), image, image_id, owner_id, created_at from planned_images where kind = \(kind) \
        and not is_present and \(slice.condition) order by n
        """
    }

    func decode(_ row: Row) -> (path: String, file: String, id: UUID, owner: UUID, createdAt: Timestamp) {
        (row.string(0), row.string(1), row.uuid(2), row.uuid(3), row.timestamp(4))
    }
}
