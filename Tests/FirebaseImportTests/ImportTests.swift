import App
import Auth
import Postgres
import TestSupport
import Testing

@testable import FirebaseImport

@Suite struct ImportTests {
    private static let users = """
        {"users": [
        {"localId": "ana", "email": "Ana@example.org", "emailVerified": true, "createdAt": "1577836800000",
         "passwordHash": "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
         "salt": "42xEC+ixf3L2lw==", "providerUserInfo": [{"providerId": "password"}]},
        {"localId": "bo", "email": "bo@example.org", "createdAt": "1577836900000", "displayName": "Bo",
         "providerUserInfo": [{"providerId": "google.com"}]},
        {"localId": "cy", "createdAt": "1577836900000"},
        {"localId": "di", "email": "di@example.org", "disabled": true, "createdAt": "1577836900000",
         "providerUserInfo": [{"providerId": "google.com"}]},
        {"localId": "ed", "phoneNumber": "+34", "createdAt": "1577836900000"},
        {"localId": "fi", "email": "ANA@example.org", "createdAt": "1577836900000"},
        {"localId": "ana", "email": "other@example.org"}
        ]}
        """
    private static let parameters = """
        base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
        base64_salt_separator: Bw==,
        rounds: 8,
        mem_cost: 14,
        """
    private static let rndm = """
        {"__collections__": {
        "users": {
          "ana": {"username": "Ana_1", "dateCreated": {"__datatype__": "timestamp", "value": {"_seconds": 1577836800, "_nanoseconds": 0}}},
          "bo": {"username": "Ana_l"}, "cy": {"username": "cyrus"}, "di": {"username": "Di the First"}, "ed": {"username": "4na_1"},
          "nobody": {"username": "nobody1"}},
        "thoughts": {
          "t1": {"category": "funny", "thoughtTxt": "One", "timestamp": {"_seconds": 1577836801, "_nanoseconds": 5000000},
            "userId": "ana", "username": "ana", "numLikes": 3, "numComments": 9, "__collections__": {"comments": {
            "c1": {"commentTxt": "Yes", "timestamp": 1577836802, "userId": "bo"},
            "c2": {"commentTxt": "", "timestamp": 1577836803, "userId": "bo"},
            "c3": {"commentTxt": "No", "timestamp": 1577836804, "userId": "cy"},
            "c4": {"commentTxt": "No", "timestamp": "soon", "userId": "gone"},
            "c5": {"commentTxt": "Also", "timestamp": 1577836805, "userId": "ana"}}}},
          "t2": {"category": "sad", "thoughtTxt": "Two", "timestamp": 1577836801, "userId": "ana"},
          "t3": {"category": "crazy", "thoughtTxt": 7, "timestamp": 1577836801, "userId": "ana"},
          "t4": {"category": "crazy", "thoughtTxt": "Four", "timestamp": 1577836801, "userId": "gone",
            "__collections__": {"comments": {"c1": {"commentTxt": "Lost", "timestamp": 1577836805, "userId": "ana"}}}},
          "t5": {"category": "SERIOUS", "thoughtTxt": "Five", "timestamp": 1577836806, "userId": "cy"},
          "t6": "text"},
        "settings": {"a": {"b": 1}}}}
        """

    private func importRndm(_ world: ImportWorld, isDryRun: Bool = false) async throws -> ImportReport {
        let users = try world.write("users.json", Self.users)
        let documents = try world.write("firestore.json", Self.rndm)
        return try await world.run("rndm", isDryRun: isDryRun) {
            $0.accounts = [users]
            $0.firestore = [documents]
            $0.passwordParameters = FirebasePasswordParameters(text: Self.parameters)
        }
    }

    private static let expectedProblems: Set<String> = [
        #"{"effect":"refused","path":"auth/ana","reason":"The id occurs a second time."}"#,
        #"{"effect":"changed","path":"auth/ed","field":"email","reason":"It has no e-mail address, so nobody can sign in to it."}"#,
        #"{"effect":"changed","path":"auth/fi","field":"email","reason":"This e-mail address has an account already, so nobody can sign in to this one.","detail":"ana@example.org"}"#,
        #"{"effect":"changed","path":"users/bo","field":"username","reason":"This username is taken, or looks like one that is.","detail":"ana_l"}"#,
        #"{"effect":"changed","path":"users/cy","reason":"An anonymous account has no profile before it signs up."}"#,
        #"{"effect":"changed","path":"users/di","field":"username (account.username)","reason":"A username is made of letters from a to z, digits, _ and dots."}"#,
        #"{"effect":"refused","path":"users/nobody","field":"uid","reason":"No account has this id.","detail":"nobody"}"#,
        #"{"effect":"refused","path":"thoughts/t2","field":"category (thought.category)","reason":"The mapping has no value for \"sad\"."}"#,
        #"{"effect":"refused","path":"thoughts/t3","field":"thoughtTxt (thought.text)","reason":"It is a number, not a text."}"#,
        #"{"effect":"refused","path":"thoughts/t4","field":"author","reason":"No account has this id.","detail":"gone"}"#,
        #"{"effect":"refused","path":"thoughts/t4/comments/c1","field":"on","reason":"What it is on is not imported.","detail":"thoughts/t4"}"#,
        #"{"effect":"refused","path":"thoughts/t5","field":"author","reason":"An anonymous account writes nothing before it signs up.","detail":"cy"}"#,
        #"{"effect":"refused","path":"thoughts/t6","reason":"It is not an object."}"#,
        #"{"effect":"refused","path":"thoughts/t1/comments/c2","field":"commentTxt (comment.text)","reason":"The comment is missing."}"#,
        #"{"effect":"refused","path":"thoughts/t1/comments/c3","field":"author","reason":"An anonymous account writes nothing before it signs up.","detail":"cy"}"#,
        #"{"effect":"refused","path":"thoughts/t1/comments/c4","field":"timestamp (comment.createdAt)","reason":"It is not a time between 1990 and 2100 in a form that the mapping tells."}"#,
    ]

    @Test func anAppIsImportedOnce() async throws {
        try await ImportWorld.with { world in
            for _ in 0..<2 {
                let report = try await importRndm(world)
                #expect(Set(try world.problems()) == Self.expectedProblems)
                #expect(report.leftOut["thoughts/{thought}: numLikes"] == 1)
                #expect(report.leftOut["settings/{}"] == 1)
            }
            let generated = try await world.texts(
                "select display_name from users u join imported_objects o on o.object_id = u.id where old_id = 'fi'")[0]
            #expect(
                try await world.texts(
                    """
                    select concat_ws(' ', o.old_id, username, display_name, is_anonymous, email, email_verified_at is not null, \
                    split_part(password_hash, '$', 2), (select reason from suspensions s where s.user_id = u.id)) \
                    from imported_objects o join users u on u.id = object_id left join credentials k on k.user_id = u.id \
                    where is_anonymous is false order by o.old_id
                    """) == [
                        "ana ana_1 ana_1 f ana@example.org t firebase-scrypt", "bo Bo f bo@example.org f none",
                        "di Di the First f di@example.org f none OTHER", "ed 4na_1 4na_1 f f",
                        "fi \(generated) f f",
                    ])
            #expect(
                try await world.texts(
                    """
                    select concat_ws(' ', category, text, status, like_count, comment_count, \
                    to_char(created_at at time zone 'UTC', 'HH24:MI:SS.MS'), created_at = published_at) from thoughts
                    """) == ["FUNNY One PUBLISHED 0 2 00:00:01.005 t"])
            #expect(try await world.texts("select text from comments order by created_at") == ["Yes", "Also"])
            #expect(
                try await world.texts("select kind from imported_objects group by 1 order by 1") == [
                    "comment", "thought", "user",
                ])
        }
    }

    @Test func aDryRunReportsTheSameAndWritesNothing() async throws {
        try await ImportWorld.with { world in
            let report = try await importRndm(world, isDryRun: true)
            #expect(Set(try world.problems()) == Self.expectedProblems)
            #expect(report.summary(isDryRun: true).contains("thoughts: 5 read, 1 to be written, 0 there already"))
            #expect(
                try await world.texts(
                    "select count(*)::text from users union all select count(*)::text from imported_objects") == [
                        "0", "0",
                    ])
        }
    }

    @Test func nobodyIsNotified() async throws {
        try await ImportWorld.with { world in
            _ = try await importRndm(world)
            try await importActs(world)
            // What the notification worker does, as if no transaction ran.
            let seen = try await world.texts("select enqueue_comments('18446744073709551615', 100000)::text")
            #expect(seen != ["0"])
            #expect(
                try await world.texts(
                    """
                    select count(*)::text from notifications union all \
                    select count(*)::text from outbox union all select count(*)::text from activity_marks union all \
                    select count(*)::text from mails
                    """) == ["0", "0", "0", "0"])
        }
    }

    /// A comment that is written afterwards is told of.
    @Test func laterActsAreNotified() async throws {
        try await ImportWorld.with { world in
            _ = try await importRndm(world)
            _ = try await world.texts(
                """
                with c as (insert into comments (id, author_id, thought_id, text) select uuid_v7(), u.object_id, t.object_id, 'New' \
                from imported_objects u, imported_objects t where u.old_id = 'bo' and t.old_id = 'thoughts/t1' returning text) \
                select text from c
                """)
            // Transactions of other databases hold the worker up.
            try await eventually("a notification") {
                _ = try await world.texts("select write_notifications(1000)::text")
                return try await world.texts("select kind from notifications").isEmpty == false
            }
            #expect(try await world.texts("select kind from notifications") == ["COMMENT"])
        }
    }

    private func importActs(_ world: ImportWorld) async throws {
        let mapping = try world.write(
            "acts.yaml",
            """
            paths:
              - path: posts/{post}
                likes: {on: "thoughts/{post}", each: likes, person: "{item}"}
                saves: {on: "thoughts/{post}", each: saves, person: "{item}"}
                ratings: {on: "thoughts/{post}", each: stars, person: "{item}", stars: .}
            """)
        let users = try world.write("users.json", Self.users)
        let tree = try world.write(
            "tree.json",
            """
            {"posts": {"t1": {"likes": ["ana", "bo", "ana", "cy", "gone"], "saves": {"bo": true, "ana": false},
            "stars": {"ana": 5, "bo": 4, "di": 6, "ed": "five"}}, "t2": {"likes": ["ana"]}, "t9": {"likes": 12}}}
            """)
        let report = try await world.run(mapping) {
            $0.accounts = [users]
            $0.realtimeDatabase = [tree]
            $0.passwordParameters = FirebasePasswordParameters(text: Self.parameters)
        }
        #expect(report.refused == 1 + 1 + 1 + 2)
    }

    @Test func actsAreCountedOnce() async throws {
        try await ImportWorld.with { world in
            _ = try await importRndm(world)
            for _ in 0..<2 { try await importActs(world) }
            #expect(
                try await world.texts(
                    "select concat_ws(' ', like_count, save_count, rating_count, rating_total, comment_count) from thoughts"
                )
                    == ["3 1 2 9 2"])
            let connection = try await world.connection()
            let outcome = try await CounterAudit(connection).run(repairs: false)
            await connection.close()
            #expect(outcome.objects == 1 && outcome.drift.isEmpty)
        }
    }

    @Test func whatWasDeletedDoesNotComeBack() async throws {
        try await ImportWorld.with { world in
            _ = try await importRndm(world)
            _ = try await world.texts("with d as (delete from thoughts returning text) select text from d")
            let report = try await importRndm(world)
            #expect(try await world.texts("select text from thoughts").isEmpty)
            #expect(report.reasons["refused: What it is on is not imported."] == 3)
        }
    }

    @Test func picturesAreCleanedAndStored() async throws {
        try await ImportWorld.with { world in
            let users = try world.write("users.json", Self.users)
            try world.write("a.png", SamplePicture.png)
            try world.write("big.png", [UInt8](repeating: 0, count: 20 << 20))
            try world.write("text.png", "not a picture")
            let events = try world.write(
                "events.json",
                """
                {"events": {
                "e1": {"name": "A", "description": "d", "creator": "ana", "startTimeStamp": 1577836800,
                  "photoURL": "https://firebasestorage.googleapis.com/v0/b/p/o/a.png?alt=media", "rsvpUsers": ["bo", "cy"]},
                "e2": {"name": "B", "description": "d", "creator": "ana", "startTimeStamp": 1577836800, "photoURL": "big.png"},
                "e3": {"name": "C", "description": "d", "creator": "ana", "startTimeStamp": 1577836800, "photoURL": "text.png"},
                "e4": {"name": "D", "description": "d", "creator": "ana", "startTimeStamp": 1577836800, "photoURL": "none.png"},
                "e5": {"name": "E", "description": "d", "creator": "ana", "startTimeStamp": 1577836800, "photoURL": "../a.png"},
                "e6": {"name": "F", "description": "d", "creator": "bo", "startTimeStamp": 1577836800, "photoURL": "a.png"},
                "e7": {"name": "G", "description": "d", "creator": "bo", "startTimeStamp": 1577836800, "endTimeStamp": 1577836800}},
                "users": {"bo": {"username": "bo_o", "savedEvents": ["e1", "e9"]}}}
                """)
            for _ in 0..<2 {
                let report = try await world.run("socials") {
                    $0.accounts = [users]
                    $0.firestore = [events]
                    $0.storage = world.folder
                    $0.passwordParameters = FirebasePasswordParameters(text: Self.parameters)
                }
                for reason in [
                    "changed: An image can have 1 MiB at most.",
                    "changed: Only PNG, JPEG, GIF and WebP images can be uploaded.",
                    "changed: The Storage folder has no such file.",
                    "changed: It is not an address in Firebase Storage.",
                    "refused: The event has to end after it starts.", "refused: What it is on is not imported.",
                ] { #expect(report.reasons[reason] == 1, "\(reason) \(report.reasons)") }
            }
            #expect(
                try await world.texts(
                    """
                    select concat_ws(' ', e.name, i.mime_type, i.owner_id = e.author_id, interested_count, \
                    extract(epoch from ends_at - starts_at)::integer) from events e left join images i on i.id = image_id \
                    order by e.name
                    """) == [
                        "A image/png t 2 7200", "B 0 7200", "C 0 7200", "D 0 7200", "E 0 7200", "F image/png t 0 7200",
                    ])
            #expect(try await world.texts("select count(*)::text from image_contents") == ["1"])
        }
    }

    @Test func picturesBeyondTheQuotaStayBehind() async throws {
        try await ImportWorld.with { world in
            let users = try world.write("users.json", Self.users)
            try world.write("a.png", SamplePicture.png)
            let tree = try world.write(
                "tree.json",
                """
                {"Users": {"bo": {"p1": {"title": "A", "photo": "a.png", "date": 1577836800, "published": true},
                "p2": {"title": "B", "description": "b", "photo": "a.png", "date": 1577836801}}},
                "publishedPost": {"p1": {"title": "A"}}}
                """)
            for _ in 0..<2 {
                let report = try await world.run("practica", quota: SamplePicture.png.count * 3 / 2) {
                    $0.accounts = [users]
                    $0.realtimeDatabase = [tree]
                    $0.storage = world.folder
                    $0.passwordParameters = FirebasePasswordParameters(text: Self.parameters)
                }
                #expect(report.changed == 3, "\(report.reasons)")
                #expect(report.leftOut["publishedPost/{post}"] == 1)
            }
            #expect(
                try await world.texts(
                    "select concat_ws(' ', text, status, image_id is not null) from thoughts order by text")
                    == ["A PUBLISHED t", "b DRAFT f"])
        }
    }

    @Test func accountsWithoutAPasswordGetOneMailEach() async throws {
        try await ImportWorld.with { world in
            _ = try await importRndm(world)
            let connection = try await world.connection()
            let accounts = AccountsWithoutPassword(source: "test")
            #expect(try await accounts.count(connection) == 1)
            #expect(try await accounts.queueMails(connection, interval: .seconds(1)) == 1)
            #expect(try await accounts.queueMails(connection, interval: .seconds(1)) == 0)
            #expect(try await connection.run(ImportedObjects(oldID: "ana")).map { $0.id?.kind } == [.user])
            #expect(try await connection.run(ImportedObjects(oldID: "none")).isEmpty)
            await connection.close()
            #expect(
                try await world.texts("select kind || ' ' || recipient from mails order by recipient")
                    == ["RESET_PASSWORD bo@example.org"])
        }
    }

    @Test func addressesThatLookEqualAreOneAccount() async throws {
        try await ImportWorld.with { world in
            let addresses = [
                "\u{200B}ana@example.org", "Ana@example.org", "b\u{AD}o@example.org", "cy@bücher.de", "di@i❤.ws",
                "\u{FEFF}ed@example.org",
            ]
            let users = addresses.enumerated().map {
                """
                {"localId": "u\($0.offset)", "email": "\($0.element)", "emailVerified": true, "createdAt": "157783680000\($0.offset)"}
                """
            }
            let file = try world.write("users.json", "{\"users\": [\(users.joined(separator: ","))]}")
            try await world.run("rndm") { $0.accounts = [file] }
            #expect(
                try await world.texts(
                    """
                    select concat_ws(' ', old_id, email, case when email_verified_at is null then 'unconfirmed' end) \
                    from credentials join imported_objects on object_id = user_id order by old_id
                    """) == ["u1 ana@example.org", "u3 cy@xn--bcher-kva.de", "u5 ed@example.org unconfirmed"])
            #expect(
                Set(try world.problems()) == [
                    #"{"effect":"changed","path":"auth/u0","field":"email","reason":"This e-mail address has an account already, so nobody can sign in to this one.","detail":"ana@example.org"}"#,
                    #"{"effect":"changed","path":"auth/u2","field":"email","reason":"The e-mail address contains an invisible character."}"#,
                    #"{"effect":"changed","path":"auth/u4","field":"email","reason":"The domain of this address is not valid. A domain in ASCII (xn--…) is accepted."}"#,
                ])
        }
    }

    @Test func passwordsNeedTheirParameters() async throws {
        try await ImportWorld.with { world in
            let users = try world.write("users.json", Self.users)
            await #expect(throws: ImportFailure.self) { try await world.run("rndm") { $0.accounts = [users] } }
            #expect(try await world.texts("select count(*)::text from users") == ["0"])
        }
    }

    @Test func aTruncatedFileWritesNothing() async throws {
        try await ImportWorld.with { world in
            let users = try world.write("users.json", Self.users.dropLast(20).description)
            let failure = await #expect(throws: ImportFailure.self) {
                try await world.run("rndm") {
                    $0.accounts = [users]
                    $0.passwordParameters = FirebasePasswordParameters(text: Self.parameters)
                }
            }
            #expect(failure?.description.contains("users.json is not JSON: it ends within a value") == true)
            #expect(try await world.texts("select count(*)::text from users") == ["0"])
        }
    }
}
