import Testing

@testable import tertulia

@Suite struct PostgreSQLInstallationTests {
    @Test(arguments: [
        ("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n", 15), ("postgres (PostgreSQL) 17beta1\n", 17),
        ("postgres (PostgreSQL) 9.6.24\n", 9),
    ])
    func majorVersion(_ text: String, _ major: Int) {
        #expect(PostgreSQLInstallation.majorVersion(in: text) == major)
    }

    @Test func anotherProgramIsNoServer() {
        #expect(PostgreSQLInstallation.majorVersion(in: "psql 15") == nil)
    }

    @Test func aVersionThatIsNotInstalledIsNotFound() async {
        #expect(await PostgreSQLInstallation.find(major: 8) == nil)
    }

    @Test func theInstalledOneIsFound() async throws {
        let found = try #require(await PostgreSQLInstallation.find())
        #expect(await PostgreSQLInstallation.find(major: found.major) == found)
    }
}
