import Glibc
import Postgres
import TestPostgres
import Testing

@Suite struct TLSTests {
    /// A TCP port that nothing listened on a moment ago.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isBound)
        return Int(UInt16(bigEndian: address.sin_port))
    }

    @Test func sessionsAreEncryptedWherePostgreSQLAsksForIt() async throws {
        let port = try Self.freePort()
        let cluster = try ThrowawayCluster.start(withTLSOn: port)
        defer {
            cluster.stop()
            cluster.remove()
        }
        let url = "host=127.0.0.1 port=\(port) user=postgres dbname=postgres sslmode=require"
        try await withPool(connections: 2, on: url) { pool in
            let encryption = Query("select ssl, version from pg_stat_ssl where pid = pg_backend_pid()") {
                ($0.bool(0), $0.string(1))
            }
            let (isEncrypted, version) = try await pool.run(encryption)[0]
            #expect(isEncrypted && version.hasPrefix("TLSv1."))
            // Longer than a record of TLS, in both directions at once.
            let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let large = (0..<8).map { _ in pool.start(Query("select \(bytes)") { $0.bytes(0) }) }
            let small = (0..<200).map { number in pool.start(Query("select \(number)") { $0.int64(0) }) }
            for pending in large { #expect(try await pending.value == [bytes]) }
            for (number, pending) in small.enumerated() { #expect(try await pending.value == [Int64(number)]) }
            _ = try? await pool.run(Query("select pg_terminate_backend(pg_backend_pid())") { $0.bool(0) })
            let recovered = try await eventually { pool.statistics.connectionsUp == 2 }
            #expect(recovered)
            #expect(try await pool.run(encryption)[0].0)
        }
    }
}
