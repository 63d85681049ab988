import GraphQL
import Testing

@testable import App

/// How many statements a document takes does not depend on the data, nor on who asks.
@Suite(.serialized) struct StatementCountTests {
    struct Document: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        /// For somebody signed in; what depends on a viewer is not asked for anybody else.
        let statements: Int
        /// How many more there may be at most, where the data decide.
        var wider = 0
        var testDescription: String { name }
    }

    static let documents = [
        Document(
            name: "a feed with authors",
            text: "{ feed(first: 20) { edges { cursor node { id author { username } } } pageInfo { endCursor } } }",
            statements: 2),
        Document(
            name: "a thought with comments and their authors",
            text: """
                { thought(id: "thought_01kdv00000e0080000000000g1") { text author { username } \
                comments(first: 20) { nodes { text author { username } } pageInfo { hasNextPage } } } }
                """,
            statements: 2),
        Document(
            name: "an event with comments, attendees and their authors",
            text: """
                { event(id: "event_01kdv00000e0080000000000r1") { name author { username } \
                comments(first: 20) { nodes { text author { username } } } attendees { nodes { username } } } }
                """,
            statements: 3),
        Document(
            name: "the comments of all thoughts, with authors",
            text: "{ thoughts(first: 100) { nodes { comments(first: 5) { nodes { author { username } } } } } }",
            statements: 2),
        Document(
            name: "lists below lists below lists",
            text: """
                { thoughts(first: 100) { nodes { author { thoughts(first: 2) { nodes { likers(first: 2) { nodes { \
                username } } } } events(first: 2) { nodes { attendees(first: 2) { nodes { username } } } } } } } }
                """,
            // Thoughts with authors; their thoughts and events; the likers and the attendees.
            statements: 5),
        Document(
            name: "what comments are about",
            text: """
                query { thoughts(first: 100) { nodes { comments(first: 2) { nodes { ...Subject } } } } \
                events(last: 100) { nodes { comments(first: 2) { nodes { ...Subject } } } } } \
                fragment Subject on Comment { subject { id commentCount ... on FeedItem { author { username } } } }
                """,
            // Thoughts and events; the comments of either; what those are about, and its authors.
            statements: 8),
        Document(
            name: "the viewer's lists",
            text: """
                { viewer { savedThoughts { nodes { author { username } } } likedThoughts { nodes { title } } \
                rsvpEvents { nodes { author { username } } } blockedUsers { nodes { username } } } }
                """,
            statements: 5),
        Document(
            name: "conversations with people and messages",
            text: """
                { viewer { unreadMessageCount conversations { nodes { unreadCount lastMessage { author { username } } \
                participants { user { username } } messages(first: 5) { nodes { author { username } } } } } } }
                """,
            // The viewer; the list and the count; four of the conversations; the authors of either kind of messages.
            statements: 9),
        Document(
            name: "notifications with their actors",
            text: "{ viewer { unreadNotificationCount notifications { nodes { text actor { username } } } } }",
            statements: 4),
        Document(
            name: "a search",
            text: "{ search(query: \"tertu\", first: 5) { nodes { ... on Event { name } ... on User { username } } } }",
            // What matches, and the objects of its kind.
            statements: 2,
            // Where little is found, two wider searches.
            wider: 2),
        Document(
            name: "the viewer's marks",
            text: """
                { thoughts(first: 100) { nodes { viewerHasLiked viewerHasSaved viewerRating viewerCanDelete \
                image { url } } } events { nodes { viewerRsvp } } }
                """,
            statements: 8),
    ]

    @Test(arguments: documents) func isTheSameForAllDataAndViewers(_ document: Document) async throws {
        for rows in [1, 200] {
            let world = try await World.make()
            try await world.execute(script: Self.script(rows))
            try await world.writeNotifications()
            for person in Person.allCases {
                _ = world.statements.take()
                let answer = try await world.run(document.text, as: person)
                let taken = world.statements.take().flatMap(\.sql).count
                #expect(!answer.contains("\"errors\""))
                let most = document.statements + document.wider
                #expect(taken <= most, "\(person) with \(rows) rows")
                #expect(person == .nobody || taken >= document.statements, "\(person) with \(rows) rows")
            }
            await world.shutdown()
        }
    }

    /// So many thoughts and events, and comments, likes and RSVPs of the first of each, by as many people.
    private static func script(_ rows: Int) -> String {
        """
        create function pg_temp.id(kind text, n bigint) returns uuid language sql immutable as
          $$ select ('019b7700-0000-7000-8000-' || kind || lpad(to_hex(n), 11, '0'))::uuid $$;
        insert into users (id, username, display_name)
        select pg_temp.id('1', n), 'user' || n, 'User' from generate_series(1, \(rows)) n;
        insert into thoughts (id, author_id, category, text, image_id, status, published_at)
        select pg_temp.id('2', n), pg_temp.id('1', n), 'FUNNY', 'x', '019b7600-0000-7000-8000-000000000501',
          'PUBLISHED', now() from generate_series(1, \(rows)) n;
        insert into events (id, author_id, name, description, starts_at, ends_at)
        select pg_temp.id('3', n), pg_temp.id('1', n), 'x', 'x', now(), now() from generate_series(1, \(rows)) n;
        insert into comments (id, author_id, thought_id, text)
        select pg_temp.id('4', n), pg_temp.id('1', n), t.id, 'x' from generate_series(1, \(rows)) n,
          lateral (values (pg_temp.id('2', n)), ('019b7600-0000-7000-8000-000000000201')) as t (id)
          where n % 2 = 1 or t.id <> pg_temp.id('2', n) on conflict do nothing;
        insert into comments (id, author_id, event_id, text)
        select pg_temp.id('5', n), pg_temp.id('1', n), '019b7600-0000-7000-8000-000000000301', 'x'
        from generate_series(1, \(rows)) n;
        insert into messages (id, conversation_id, author_id, text)
        select pg_temp.id('6', n), '019b7600-0000-7000-8000-000000000601', '019b7600-0000-7000-8000-00000000000a', 'x'
        from generate_series(1, \(rows)) n;
        insert into thought_likes (thought_id, user_id)
        select '019b7600-0000-7000-8000-000000000201', pg_temp.id('1', n) from generate_series(1, \(rows)) n;
        insert into event_rsvps (event_id, user_id, status)
        select '019b7600-0000-7000-8000-000000000301', pg_temp.id('1', n), 'GOING' from generate_series(1, \(rows)) n;
        """
    }
}
