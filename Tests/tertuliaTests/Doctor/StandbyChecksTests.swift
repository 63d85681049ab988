import Testing

@testable import tertulia

@Suite struct StandbyChecksTests {
    private static func finding(_ state: StandbyChecks.State?) -> Finding {
        StandbyChecks.finding("host:5432", state, epoch: "2026-01-01T00:00:00Z")
    }

    @Test func aStandbyThatStreamsIsFine() {
        let state = StandbyChecks.State(isInRecovery: true, epoch: "2026-01-01T00:00:00Z", missing: 42)
        #expect(Self.finding(state) == .fine("Standby host:5432", "lacks 42 bytes of the primary's WAL"))
    }

    /// The server runs without standbys, so none of these is a problem.
    @Test func faultsAreWarnings() {
        let promoted = StandbyChecks.State(isInRecovery: false, epoch: "2026-01-01T00:00:00Z", missing: 0)
        let foreign = StandbyChecks.State(isInRecovery: true, epoch: "2025-01-01T00:00:00Z", missing: 0)
        for (state, text) in [(nil, "cannot be reached"), (promoted, "is no standby"), (foreign, "another history")] {
            let finding = Self.finding(state)
            #expect(finding.verdict == .warning && finding.text.contains(text) && finding.remedy != nil)
        }
    }
}
