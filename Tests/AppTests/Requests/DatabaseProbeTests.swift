import Postgres
import Synchronization
import Testing

@testable import App

@Suite struct DatabaseProbeTests {
    /// A replica whose clock is two hours ahead.
    @Test func theClocksAreCompared() async throws {
        let world = try await World.make()
        let readings = Mutex<[ClockReading]>([])
        let probe = DatabaseProbe(
            ConnectionConfiguration(world.url, role: "tertulia_server"),
            now: { Timestamp(microseconds: Timestamp.now().microseconds + 7_200_000_000) },
            onClock: { reading in readings.withLock { $0.append(reading) } })
        #expect(await probe.ask() == .writes)
        let reading = try #require(readings.withLock { $0.first })
        #expect(reading.difference < .seconds(-7000) && reading.difference > .seconds(-7400))
        #expect(reading.leastDifference > .seconds(7000))
        await world.shutdown()
    }

    @Test func halfOfTheTimeThatTheComparisonTookIsItsUncertainty() {
        func at(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: seconds * 1_000_000) }
        let reading = ClockReading(database: at(108), before: at(100), after: at(104))
        #expect(reading == ClockReading(difference: .seconds(6), uncertainty: .seconds(2)))
        #expect(reading.leastDifference == .seconds(4))
        #expect(ClockReading(database: at(101), before: at(100), after: at(104)).leastDifference == .zero)
    }
}
