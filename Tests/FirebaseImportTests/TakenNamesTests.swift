import Postgres
import Testing

@testable import FirebaseImport

@Suite struct TakenNamesTests {
    /// An account that is in the database neither loses its name or address to an older one, nor keeps those that it
    /// has given up.
    @Test func namesAreThoseOfTheDatabase() async throws {
        try await ImportWorld.with { world in
            func run(_ years: [(name: String, year: Int)]) async throws -> [String] {
                let accounts = years.map { name, year in
                    """
                    {"localId": "\(name)", "email": "bo@example.org", "createdAt": "\((year - 1970) * 31_557_600_000)",
                    "providerUserInfo": [{"providerId": "google.com"}]}
                    """
                }
                let profiles = years.map { name, _ in "\"\(name)\": {\"username\": \"bobo\"}" }
                let users = try world.write("users.json", "{\"users\": [\(accounts.joined(separator: ","))]}")
                let documents = try world.write(
                    "firestore.json", "{\"__collections__\": {\"users\": {\(profiles.joined(separator: ","))}}}")
                try await world.run("rndm") {
                    $0.accounts = [users]
                    $0.firestore = [documents]
                }
                return try world.problems().map { String($0.split(separator: #"",""#)[1]) }.sorted()
            }
            #expect(try await run([("bo", 2020)]) == [])
            let older = [#"path":"auth/al"#, #"path":"users/al"#]
            #expect(try await run([("bo", 2020), ("al", 2019)]) == older)
            _ = try await world.texts(
                """
                with c as (update credentials set email = 'new@example.org' returning user_id) \
                update users set username = 'newbo' from c where id = user_id returning username
                """)
            #expect(try await run([("bo", 2020), ("cy", 2021)]) == [])
            #expect(
                try await world.texts(
                    """
                    select concat_ws(' ', username, email) from users join credentials on user_id = id \
                    where email is not null order by created_at
                    """) == ["newbo new@example.org", "bobo bo@example.org"])
        }
    }
}
