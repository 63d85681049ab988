import Testing

@testable import tertulia

@Suite struct ServiceURLTests {
    @Test(arguments: [
        ("postgresql://host/db", "postgresql://host/db"),
        ("postgresql://ana@host/db", "postgresql://ana@host/db"),
        ("postgresql://ana:s3cret@host:5432/db", "postgresql://ana:***@host:5432/db"),
        ("postgresql://ana:s3/cret@host/db", "postgresql://ana:***@host/db"),
        ("postgresql://ana:s3@cret@host/db", "postgresql://ana:***@host/db"),
        ("postgresql://ana:s@3/cret@host/db", "postgresql://ana:***@host/db"),
        ("postgresql://h/db?user=a@b&scram_client_key=s3cret", "postgresql://h/db?user=a@b&scram_client_key=***"),
        ("postgresql:///db?host=/run&password=s3cret&user=a", "postgresql:///db?host=/run&password=***&user=a"),
        ("postgresql://h/db?sslpassword=s3cret", "postgresql://h/db?sslpassword=***"),
    ])
    func masked(_ text: String, _ masked: String) throws {
        #expect(try #require(ServiceURL(text, schemes: ["postgresql"])).masked == masked)
    }

    @Test(arguments: [
        ("postgresql://host/db", "host"), ("postgresql://ana:s3/cr@et@host:5433/db", "host:5433"),
        ("postgresql://ana@[::1]:5432?host=other", "[::1]:5432"), ("postgresql:///db?port=5433&host=/run", "5433:/run"),
        ("postgresql:///db?host=/run&password=s3cret", "/run"),
    ])
    func place(_ text: String, _ place: String) throws {
        #expect(try #require(ServiceURL(text, schemes: ["postgresql"])).place == place)
    }

    @Test func aListNamesSeveral() {
        func list(_ text: String) -> [String]? { ServiceURL.list(text, schemes: ["postgresql"])?.map(\.text) }
        #expect(list("none") == [])
        #expect(list("postgresql://a/db") == ["postgresql://a/db"])
        #expect(list("postgresql://a/db, postgresql://b/db") == ["postgresql://a/db", "postgresql://b/db"])
        // Two ports of one host are two places, two databases of one server are not.
        #expect(list("postgresql://a:1/db,postgresql://a:2/db")?.count == 2)
        #expect(list("postgresql://a/db,postgresql://a/other") == nil)
        // The hosts of one URL are not several standbys.
        for text in ["", "postgresql://a/db,", "postgresql://a,b/db", "postgresql://a/db postgresql://b/db"] {
            #expect(list(text) == nil)
        }
    }

    @Test(arguments: ["", "host/db", "postgresql://", "mysql://host/db", "postgresql://host/d b"])
    func refused(_ text: String) { #expect(ServiceURL(text, schemes: ["postgresql"]) == nil) }
}
