import Postgres
import TestPostgres
import Testing

/// Of several hosts one is the primary. Here both are the same server, which reads only.
@Suite struct SeveralHostsTests {
    @Test func oneThatReadsOnlyIsNotTaken() async throws {
        let url = try await TestPostgres.shared.database().url
        let administrator = try await DedicatedConnection.open(ConnectionConfiguration(url))
        let name = try await administrator.execute("select current_database()::text")[0].string(0)
        try await administrator.execute(script: "alter database \(name) set default_transaction_read_only = on")
        func connects(_ url: String) async -> Bool {
            var configuration = ConnectionConfiguration(url)
            configuration.logger.logLevel = .critical
            guard let connection = try? await DedicatedConnection.open(configuration) else { return false }
            await connection.close()
            return true
        }
        let both = Self.namingTwice(url)
        #expect(await connects(url))
        #expect(await !connects(both))
        #expect(await connects(both + (both.contains("://") ? "?" : " ") + "target_session_attrs=any"))
        try await administrator.execute(script: "alter database \(name) reset default_transaction_read_only")
        #expect(await connects(both))
        await administrator.close()
    }

    /// `postgresql://user@host:port/database` or `host=… port=…`, with the host once more.
    private static func namingTwice(_ url: String) -> String {
        url.contains("://")
            ? url.replacing(#/:\/\/([^/@]*@)?([^/?]+)/#) { "://\($0.1 ?? "")\($0.2),\($0.2)" }
            : url.replacing(#/host=(\S+)/#) { "host=\($0.1),\($0.1)" }
    }
}
