import App
import GraphQLTransport
import Logging
import Synchronization
import Testing

@testable import tertulia

@Suite struct DatabaseWatchTests {
    private final class Database: Sendable {
        let answer = Mutex(DatabaseProbe.Answer.writes)
        let repairs = Mutex(0)

        let log = Mutex<[String]>([])

        func watch(repairs repairing: Bool = true) -> DatabaseWatch {
            let repair: @Sendable () async throws -> Void = { self.repairs.withLock { $0 += 1 } }
            return DatabaseWatch(
                ask: { self.answer.withLock { $0 } }, repair: repairing ? repair : nil,
                logger: Logger(label: "test") { label in
                    StructuredLogHandler(label: label, format: .text, level: .info) { line in
                        self.log.withLock { $0.append(line) }
                    }
                })
        }
    }

    @Test(arguments: [
        (DatabaseProbe.Answer.writes, Readiness.ready), (.readsOnly, .readsOnly), (.noSession, .ready),
        (.cannotLoadLibraries, .notReady(reason: "PostgreSQL was upgraded while it ran, and must be restarted")),
        (.fails(reason: "42883"), .notReady(reason: "the database cannot run the server's functions")),
        (.hasOtherColumns(reason: "of x"), .notReady(reason: "the database is not this release's: of x")),
    ])
    func readinessFollowsTheAnswer(_ answer: DatabaseProbe.Answer, _ readiness: Readiness) async {
        let database = Database()
        database.answer.withLock { $0 = answer }
        let watch = database.watch(repairs: false)
        await watch.askOnce()
        #expect(await watch.readiness(isReached: true) == readiness)
        // A column of another type may be why the pools cannot read the sessions that are revoked.
        let unreached = Readiness.notReady(reason: "the database does not answer")
        let isOther = answer == .hasOtherColumns(reason: "of x")
        #expect(await watch.readiness(isReached: false) == (isOther ? readiness : unreached))
    }

    /// Many ask `/readyz`; the database is asked once a second.
    @Test func anAnswerHoldsForASecond() async {
        let asked = Mutex(0)
        let watch = DatabaseWatch(
            ask: {
                asked.withLock { $0 += 1 }
                return .writes
            }, repair: nil, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let began = ContinuousClock.now
        for _ in 0..<100 { #expect(await watch.readiness(isReached: true) == .ready) }
        let seconds = (ContinuousClock.now - began).components.seconds
        #expect(asked.withLock { $0 } <= 1 + Int(seconds))
        #expect(asked.withLock { $0 } > 0)
    }

    /// Another PostgreSQL is its administrator's to restart.
    @Test func theLogSaysOnceWhatToDo() async throws {
        let database = Database()
        let watch = database.watch(repairs: false)
        for answer in [DatabaseProbe.Answer.writes, .cannotLoadLibraries, .cannotLoadLibraries, .writes, .writes] {
            database.answer.withLock { $0 = answer }
            await watch.askOnce()
        }
        let lines = database.log.withLock { $0 }
        try #require(lines.count == 2)
        #expect(lines[0].contains("Restart it (systemctl restart postgresql"))
        #expect(lines[1].contains("The database works again"))
        #expect(database.repairs.withLock { $0 } == 0)
    }

    /// With every connection taken, the sessions that the pools have go on as they were.
    @Test func withoutASessionTheLastAnswerHolds() async {
        let database = Database()
        let watch = database.watch()
        database.answer.withLock { $0 = .readsOnly }
        await watch.askOnce()
        database.answer.withLock { $0 = .noSession }
        await watch.askOnce()
        #expect(await watch.readiness(isReached: true) == .readsOnly)
    }

    /// One that does not help must not end what works every second.
    @Test func aRepairIsNotRepeatedAtOnce() async {
        let database = Database()
        let watch = database.watch()
        database.answer.withLock { $0 = .cannotLoadLibraries }
        for _ in 0..<3 { await watch.askOnce() }
        #expect(database.repairs.withLock { $0 } == 1)
    }
}
