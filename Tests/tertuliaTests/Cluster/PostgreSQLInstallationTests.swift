import Testing

@testable import tertulia

@Suite struct PostgreSQLInstallationTests {
    @Test(arguments: [
        ("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n", "15.18 (Debian 15.18-0+deb12u1)"),
        ("postgres (PostgreSQL) 17beta1\n", "17beta1"),
    ])
    func version(_ text: String, _ version: String) {
        #expect(PostgreSQLInstallation.version(in: text) == version)
    }

    @Test func anotherProgramIsNoServer() {
        #expect(PostgreSQLInstallation.version(in: "psql 15") == nil)
    }

    @Test func aVersionThatIsNotInstalledIsNotFound() async {
        #expect(await PostgreSQLInstallation.find(major: 8) == nil)
    }

    @Test func theInstalledOneIsFound() async throws {
        let found = try #require(await PostgreSQLInstallation.find())
        #expect(await PostgreSQLInstallation.find(major: found.major) == found)
    }
}
