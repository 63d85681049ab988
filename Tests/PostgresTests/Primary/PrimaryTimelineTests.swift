import Testing

@testable import Postgres

@Suite struct PrimaryTimelineTests {
    private let timeline = PrimaryTimeline(patience: .seconds(60))

    private func server(_ timeline: UInt32?, system: String = "1") -> ServerIdentity {
        ServerIdentity(start: "", system: system, timeline: timeline)
    }

    private func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

    @Test func aNewerTimelineEndsTheSessionsOfTheOlder() throws {
        let first = try #require(timeline.admit(server(1), now: at(0)))
        #expect(timeline.admit(server(1), now: at(1)) == first)
        #expect(!timeline.isOutdated(first))
        let second = try #require(timeline.admit(server(2), now: at(2)))
        #expect(timeline.isOutdated(first))
        #expect(!timeline.isOutdated(second))
        #expect(timeline.admit(server(1), now: at(3)) == nil)
        #expect(timeline.admit(server(2), now: at(4)) == second)
    }

    @Test func anOlderTimelineIsTakenOnceTheNewestHasNotBeenFoundForAMinute() throws {
        let newest = try #require(timeline.admit(server(3), now: at(0)))
        #expect(timeline.admit(server(2), now: at(100)) == nil)
        #expect(timeline.admit(server(2), now: at(159)) == nil)
        // The newest is there, so the minute begins anew.
        #expect(timeline.admit(server(3), now: at(159)) == newest)
        #expect(timeline.admit(server(2), now: at(160)) == nil)
        #expect(timeline.admit(server(2), now: at(219)) == nil)
        let restored = try #require(timeline.admit(server(2), now: at(220)))
        #expect(timeline.isOutdated(newest))
        #expect(timeline.admit(server(2), now: at(221)) == restored)
    }

    @Test func standbysAndOtherClustersAreNotCompared() throws {
        let first = try #require(timeline.admit(server(5), now: at(0)))
        #expect(timeline.admit(server(nil), now: at(1)) == first)
        #expect(timeline.admit(server(1, system: "2"), now: at(2)) == first)
        #expect(timeline.admit(server(5), now: at(3)) == first)
        #expect(!timeline.isOutdated(first))
        // What was known of the first cluster is still known.
        #expect(timeline.admit(server(4), now: at(4)) == nil)
    }

    @Test func connectionsBeginWithThePrimary() {
        #expect(timeline.order(of: 3) == [0, 1, 2])
        _ = timeline.admit(server(1), now: at(0))
        timeline.found(server(1), on: 0)
        _ = timeline.admit(server(2), now: at(1))
        timeline.found(server(2), on: 1)
        timeline.found(server(1), on: 0)
        timeline.found(server(nil), on: 2)
        #expect(timeline.order(of: 3) == [1, 2, 0])
        timeline.found(nil, on: 1)
        #expect(timeline.order(of: 3) == [0, 1, 2])
    }

    @Test func hostsOfAConnectionString() {
        func keywords(_ string: String, _ host: Int) -> [String] {
            HostList(string).keywords(of: host).map { "\($0.0)=\($0.1)" }
        }
        #expect(HostList("postgresql://ada@one:1,two:2,three:3/chat").count == 3)
        #expect(
            keywords("postgresql://ada@one:1,two:2,three:3/chat", 2)
                == ["user=ada", "dbname=chat", "host=three", "port=3"])
        // libpq has an empty port for each host without one.
        #expect(keywords("postgresql://one,two/chat", 0) == ["dbname=chat", "host=one"])
        #expect(keywords("postgresql://one,two:7/chat", 0) == ["dbname=chat", "host=one"])
        #expect(keywords("host=one,two port=7", 1) == ["host=two", "port=7"])
        #expect(keywords("host=one,two hostaddr=,::2", 0) == ["host=one"])
        #expect(keywords("hostaddr=::1,::2", 1) == ["hostaddr=::2"])
        #expect(HostList("dbname=chat").count == 1)
        #expect(HostList("host=one options='-c work_mem=1MB'").value(of: "options") == "-c work_mem=1MB")
    }
}
