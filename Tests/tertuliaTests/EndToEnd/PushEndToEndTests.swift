import FoundationEssentials
import Glibc
import Postgres
import SystemPackage
import TestSupport
import Testing

@testable import tertulia

/// From an act to what a browser shows, over two servers of one database: the first holds the sockets and never sends, the
/// second, which starts when everything has been proven that will be, sends.
@Suite(.timeLimit(.minutes(10))) struct PushEndToEndTests {
    /// An account of two devices, each with a session of its own.
    private struct Person {
        let name: String
        let id: String
        let thought: String
        let laptop: String
        let phone: String
    }

    private struct Scene: Sendable {
        let replica: Replica
        let service: WebPushService

        func person(_ name: String) async throws -> Person {
            let laptop = try await replica.signUp(name)
            let phone = try await replica.signIn(name)
            for (device, token) in [("laptop", laptop), ("phone", phone)] {
                let target = service.subscribe("\(name)-\(device)").target(service.origin)
                _ = try await replica.mutate("registerPushDevice", "target: \(target)", "pushDevice", "id", as: token)
            }
            let thought = try await replica.mutate(
                "createThought", "category: FUNNY, text: \"Of \(name).\"", "thought", "id", as: laptop)
            let id = try await replica.query("viewer", "user", "id", as: laptop)
            return Person(name: name, id: id, thought: thought, laptop: laptop, phone: phone)
        }

        func comment(on person: Person, as token: String) async throws {
            let input = "subjectId: \"\(person.thought)\", text: \"Hear, hear.\""
            _ = try await replica.mutate("addComment", input, "comment", "id", as: token)
        }

        func write(to person: Person, as token: String) async throws {
            let participants = "participantIds: [\"\(person.id)\"]"
            let conversation = try await replica.mutate(
                "startConversation", participants, "conversation", "id", as: token)
            let input = "conversationId: \"\(conversation)\", text: \"Come.\""
            _ = try await replica.mutate("sendMessage", input, "message", "id", as: token)
        }
    }

    private static let notifications = "notificationChanges { kind node { text } }"

    @Test func aDeviceRingsUnlessItsOwnSessionHasTheEvent() async throws {
        try await MigratedDatabase.with { cluster, connection in
            let home = FilePath("/tmp/tertulia-push-\(getpid())")
            try FileManager.default.createDirectory(atPath: home.string, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: home.string) }
            let service = try WebPushService()
            let common = [
                "--database-url", cluster.url(user: Cluster.superuser), "--home", home.string,
                "--password-hash-log-n", "10", "--push-private-addresses", "--metrics-port", "0",
            ]
            defer { service.stop() }
            let holding = common + ["--migrate", "--push-hold", "3600"]
            try await Replica.with(holding, log: home.appending("holder.log")) { holder in
                #expect(holder.logged.contains("pushes may go to private addresses"))
                try await play(Scene(replica: holder, service: service), connection)
                #expect(service.shown.isEmpty)
                try await Replica.with(common, log: home.appending("sender.log")) { _ in
                    try await Self.untilRows("push_queue", 0, connection)
                }
            }
            #expect(service.refused.isEmpty)
            let rung = service.shown.mapValues { $0.map(Self.kind) }
            #expect(
                rung == [
                    "alone-laptop": ["comment"], "alone-phone": ["comment"], "awake-phone": ["comment"],
                    "asleep-laptop": ["comment"], "asleep-phone": ["comment"], "streaming-phone": ["comment"],
                    "chatting-phone": ["message"], "greeted-laptop": ["cut comment"], "greeted-phone": ["cut comment"],
                ], "\(service.shown)")
        }
    }

    private static func kind(_ message: String) -> String {
        let isCut = message.contains("…\",\"subjectId\"")
        return isCut ? "cut comment" : message.contains("Fan commented on") ? "comment" : "message"
    }

    /// Returns once everything has been proven that will be.
    private func play(_ scene: Scene, _ connection: DedicatedConnection) async throws {
        let replica = scene.replica
        let fan = try await replica.signUp("fan", "displayName: \"Fan\"")
        let alone = try await scene.person("alone")
        let awake = try await scene.person("awake")
        let asleep = try await scene.person("asleep")
        let streaming = try await scene.person("streaming")
        let chatting = try await scene.person("chatting")
        let reading = try await scene.person("reading")
        let greeted = try await scene.person("greeted")
        // An account of a release that took names of 4,880 bytes.
        let longNamed = try await replica.signUp("longnamed")
        let longName = String(repeating: "a" + String(repeating: "\u{301}", count: 30), count: 80)
        try await connection.execute("update users set display_name = \(longName) where username = 'longnamed'")

        let awakeSocket = try await LiveSocket(
            replica, as: awake.laptop, answersPings: true, Self.notifications)
        let asleepSocket = try await LiveSocket(
            replica, as: asleep.laptop, answersPings: false, Self.notifications)
        let chattingSocket = try await LiveSocket(
            replica, as: chatting.laptop, answersPings: true, "messageChanges { kind node { text } }")
        let stream = try replica.stream("subscription { \(Self.notifications) }", as: streaming.laptop)
        // The line that opens the stream comes once its subscription is there.
        try await eventually("the line that opens the stream") { stream.text.contains(":\n\n") }

        for person in [alone, awake, asleep, streaming, reading] { try await scene.comment(on: person, as: fan) }
        try await scene.comment(on: greeted, as: longNamed)
        try await scene.write(to: chatting, as: fan)

        try await Self.untilRows("push_queue", 14, connection)
        _ = try await replica.mutate("markAllNotificationsRead", "", "viewer", "id", as: reading.phone)
        try await eventually("the comment on \(awakeSocket.all), the message on \(chattingSocket.all)") {
            awakeSocket.has("ADDED") && chattingSocket.has("Come.")
        }
        // It has the event, and leaves the ping that came after it unanswered.
        try await eventually("the comment and a ping on \(asleepSocket.all)") {
            asleepSocket.has("ADDED") && asleepSocket.has(#""number":"#)
        }
        try await eventually("the comment on the stream") { stream.text.contains("ADDED") }
        try await Self.untilRows("push_receipts", 3, connection)
        for socket in [awakeSocket, asleepSocket, chattingSocket] { socket.close() }
        stream.shutdown()
    }

    /// Waits until a table has so many rows.
    private static func untilRows(_ table: StaticString, _ count: Int64, _ connection: DedicatedConnection) async throws
    {
        var last: Int64 = 0
        try await eventually("\(count) rows of \(table), which has \(last)") {
            last = try await connection.one("select count(*) from \(unsafe: table)") { $0.int64(0) }
            return last == count
        }
    }
}
