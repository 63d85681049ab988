import Testing

@testable import tertulia

@Suite struct ServiceURLTests {
    @Test(arguments: [
        ("postgresql://host/db", "postgresql://host/db"),
        ("postgresql://ana@host/db", "postgresql://ana@host/db"),
        ("postgresql://ana:s3cret@host:5432/db", "postgresql://ana:***@host:5432/db"),
        ("postgresql://ana:s3/cret@host/db", "postgresql://ana:***@host/db"),
        ("postgresql://ana:s3@cret@host/db", "postgresql://ana:***@host/db"),
        ("postgresql:///db?host=/run&password=s3cret&user=a", "postgresql:///db?host=/run&password=***&user=a"),
        ("postgresql://h/db?sslpassword=s3cret", "postgresql://h/db?sslpassword=***"),
    ])
    func masked(_ text: String, _ masked: String) throws {
        #expect(try #require(ServiceURL(text, schemes: ["postgresql"])).masked == masked)
    }

    @Test(arguments: ["", "host/db", "postgresql://", "mysql://host/db", "postgresql://host/d b"])
    func refused(_ text: String) { #expect(ServiceURL(text, schemes: ["postgresql"]) == nil) }
}
