import Testing

@testable import tertulia

@Suite struct DatabaseChecksTests {
    @Test(arguments: [
        (13, Finding.Verdict.problem), (14, .warning), (15, .fine), (16, .warning), (17, .warning), (18, .warning),
    ])
    func version(_ major: Int, _ verdict: Finding.Verdict) {
        #expect(DatabaseChecks.version(major, name: "\(major).1").verdict == verdict)
    }

    @Test(arguments: [
        (0.2, 0.001, Finding.Verdict.fine), (-1.5, 0.001, .warning), (1.5, 0.9, .fine), (5.1, 0.001, .warning),
        (31, 0.001, .problem), (-31, 0.001, .problem),
    ])
    func clock(_ skew: Double, _ uncertainty: Double, _ verdict: Finding.Verdict) {
        #expect(DatabaseChecks.clock(skew: skew, uncertainty: uncertainty).verdict == verdict)
    }

    @Test func theClocksDirectionIsNamed() {
        #expect(DatabaseChecks.clock(skew: -2, uncertainty: 0).text == "the database is 2000 ms behind this machine")
        #expect(DatabaseChecks.clock(skew: 2, uncertainty: 0).text == "the database is 2000 ms ahead of this machine")
    }

    @Test func aRoleWithPowerIsAProblem() {
        func verdict(_ name: String, _ exists: Bool, _ superuser: Bool, _ bypass: Bool, _ login: String?)
            -> Finding.Verdict
        {
            DatabaseChecks.role(name, exists: exists, superuser: superuser, bypass: bypass, isTakenBy: login).verdict
        }
        #expect(verdict("tertulia_server", true, false, false, "tertulia") == .fine)
        #expect(verdict("tertulia_server", false, false, false, nil) == .problem)
        #expect(verdict("tertulia_server", true, true, false, "tertulia") == .problem)
        #expect(verdict("tertulia_worker", true, false, true, "tertulia") == .problem)
        #expect(verdict("tertulia_server", true, false, false, nil) == .problem)
        #expect(verdict("tertulia_trigger", true, false, false, nil) == .fine)
    }

    @Test func anOldTransactionIsNamed() {
        let finding = DatabaseChecks.oldestTransaction(process: 4711, seconds: 62.5, name: "psql")
        #expect(finding.verdict == .warning)
        #expect(finding.remedy?.contains("pg_terminate_backend(4711)") == true)
        #expect(DatabaseChecks.oldestTransaction(process: 1, seconds: 0.2, name: "").verdict == .fine)
    }

    @Test func whatHoldsUpTheChangeLogIsNamed() {
        let remedy = "rollback prepared 'x'"
        let finding = DatabaseChecks.changeLog(heldUpBy: "prepared transaction x in y", seconds: 62, remedy: remedy)
        #expect(finding.verdict == .warning)
        #expect(finding.text == "held up by prepared transaction x in y for 62 s")
        #expect(finding.remedy?.hasSuffix(remedy) == true)
        #expect(DatabaseChecks.changeLog(heldUpBy: "process 1", seconds: 0.2, remedy: remedy).verdict == .fine)
    }

    @Test func lostHistoryIsNamed() {
        func finding(_ present: Int?) -> Finding {
            DatabaseChecks.epoch(begunAt: "2026-01-01T00:00:00Z", timeline: 2, present: present)
        }
        #expect(finding(2).verdict == .fine)
        #expect(finding(2).text == "one epoch since 2026-01-01T00:00:00Z, on timeline 2")
        #expect(finding(3).verdict == .warning)
        #expect(finding(3).text.hasSuffix("from timeline 2 to 3"))
        #expect(finding(nil).verdict == .problem)
    }

    @Test func migrationsOfTheNextReleaseAreFine() {
        #expect(DatabaseChecks.migrations(pending: 0, of: 7, newer: 0).text == "all 7 are applied")
        #expect(DatabaseChecks.migrations(pending: 0, of: 7, newer: 2).verdict == .fine)
        #expect(DatabaseChecks.migrations(pending: 0, of: 7, newer: 2).text.contains("2 of a newer release"))
        #expect(DatabaseChecks.migrations(pending: 1, of: 7, newer: 2).verdict == .problem)
    }

    @Test func aLoginRoleHasNoRights() {
        #expect(
            DatabaseChecks.login("t", powerful: false, inherits: false, createsRoles: false).verdict == .fine)
        #expect(
            DatabaseChecks.login("t", powerful: true, inherits: false, createsRoles: false).verdict == .warning)
        #expect(
            DatabaseChecks.login("t", powerful: false, inherits: true, createsRoles: false).verdict == .warning)
    }
}
