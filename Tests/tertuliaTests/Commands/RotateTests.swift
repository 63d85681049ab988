import Auth
import Testing

@testable import tertulia

@Suite struct RotateTests {
    @Test func addsAKey() async throws {
        try await TemporaryHome.with { home in
            let file = SigningKeysFile(path: home.appending("keys.json").string)
            await #expect(throws: CommandFailure.self) { try await Rotate.parse(["--home", home.string]).run() }
            let first = try file.loadOrCreate(now: 1_000)
            try await Rotate.parse(["--home", home.string]).run()
            let keys = try file.load().keys
            #expect(keys.count == 2)
            #expect(keys.first?.kid == first.keys.first?.kid)
            #expect(keys.first?.retireAt != nil)
        }
    }
}
