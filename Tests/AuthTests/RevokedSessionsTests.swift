import Synchronization
import Testing

@testable import Auth

@Suite struct RevokedSessionsTests {
    @Test func readsReplaceTheWholeSet() {
        let revoked = RevokedSessions()
        revoked.replace(with: ["a": 10_000, "b": 10_000], asOf: 1_000)
        #expect(revoked.isRevoked("a", now: 1_000))
        #expect(!revoked.isRevoked("c", now: 1_000))
        revoked.replace(with: ["b": 10_000], asOf: 1_500)
        #expect(!revoked.isRevoked("a", now: 1_500))
        #expect(revoked.isRevoked("b", now: 9_999))
        #expect(!revoked.isRevoked("b", now: 10_000), "Its tokens have expired.")
    }

    @Test func aReadThatBeganEarlierChangesNothing() {
        let revoked = RevokedSessions()
        revoked.replace(with: ["a": 10_000], asOf: 1_000)
        revoked.replace(with: [:], asOf: 999)
        #expect(revoked.isRevoked("a", now: 1_000))
    }

    @Test func fresh() {
        let revoked = RevokedSessions()
        #expect(!revoked.isFresh(now: 0), "Never read.")
        revoked.replace(with: [:], asOf: 1_000)
        #expect(revoked.isFresh(now: 2_999))
        #expect(!revoked.isFresh(now: 3_000))
    }

    @Test func aRevocationHereCountsAtOnceAndOutlivesAReadThatBeganBefore() {
        let revoked = RevokedSessions()
        revoked.replace(with: [:], asOf: 1_000)
        revoked.revoke("a", until: 10_000, now: 1_200)
        #expect(revoked.isRevoked("a", now: 1_200))
        revoked.replace(with: [:], asOf: 1_100)
        #expect(revoked.isRevoked("a", now: 1_300))
        revoked.replace(with: ["a": 10_000], asOf: 1_600)
        #expect(revoked.isRevoked("a", now: 1_700))
        revoked.replace(with: [:], asOf: 2_000)
        #expect(!revoked.isRevoked("a", now: 2_000), "The database is the truth once it was read afterwards.")
    }

    @Test func aClockThatWasSetBackIsNoticed() {
        let revoked = RevokedSessions()
        revoked.replace(with: [:], asOf: 3_600_000)
        #expect(!revoked.isFresh(now: 1_000))
        revoked.replace(with: ["a": 10_000], asOf: 1_000)
        #expect(revoked.isFresh(now: 1_001))
        #expect(revoked.isRevoked("a", now: 1_001))
    }

    @Test func whoWatchesHearsOfARevocationAtOnce() {
        let revoked = RevokedSessions()
        let heard = Mutex<[String]>([])
        let watches = ["a", "a", "b", "c"].enumerated().map { number, session in
            revoked.watch(session) { heard.withLock { $0.append("\(session)\(number)") } }
        }
        func news() -> [String] {
            heard.withLock { heard in
                defer { heard = [] }
                return heard.sorted()
            }
        }
        revoked.revoke("a", until: 10_000, now: 1_000)
        #expect(news() == ["a0", "a1"])
        revoked.replace(with: ["a": 10_000, "b": 10_000, "x": 10_000, "y": 10_000, "z": 10_000], asOf: 2_000)
        #expect(news() == ["b2"], "The first is known already.")
        revoked.replace(with: ["a": 10_000, "b": 10_000, "c": 10_000], asOf: 1_000)
        #expect(news() == [], "A read that began earlier changes nothing.")
        for stop in watches.prefix(3) { stop() }
        revoked.replace(with: ["c": 10_000], asOf: 3_000)
        revoked.revoke("a", until: 10_000, now: 3_000)
        #expect(news() == ["c3"])
        watches[3]()
        #expect(revoked.watchedCount == 0)
    }

    @Test func manyTasksAtOnce() async {
        let revoked = RevokedSessions()
        revoked.replace(with: ["always": .max], asOf: 0)
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (1...2_000).allSatisfy { round in
                        if task == 0 { revoked.replace(with: ["always": .max, "\(round)": .max], asOf: Int64(round)) }
                        if task == 1 { revoked.revoke("local \(round)", until: .max, now: Int64(round)) }
                        return revoked.isRevoked("always", now: Int64(round)) && !revoked.isRevoked("never", now: 0)
                    }
                }
            }
            for await right in group { #expect(right) }
        }
    }
}
