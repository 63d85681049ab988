import Auth
import Logging
import Testing

@testable import tertulia

@Suite struct KeysFileReaderTests {
    @Test func takesOverWhatARotationWrote() async throws {
        try await TemporaryHome.with { home in
            let file = SigningKeysFile(path: home.appending("keys.json").string)
            let first = try file.loadOrCreate(now: 1_000)
            let tokens = AccessTokens(keys: first, issuer: "i", audience: "a")
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let reader = KeysFileReader(file: file, tokens: tokens, logger: logger)
            let rotated = try file.rotate(now: 2_000, tokenLifetime: tokens.lifetime)
            reader.read()
            #expect(tokens.keys.keys.map(\.kid) == rotated.keys.map(\.kid))
            #expect(tokens.keys.keys.count == 2)
            // A token of the new key is taken as soon as the key signs.
            let hourLater: Int64 = 2_000 + SigningKeys.publishAhead
            let signed = tokens.sign(subject: "s", session: "x", isAnonymous: false, now: hourLater)
            #expect(tokens.keys.signingKey(now: hourLater).kid == rotated.keys.last?.kid)
            #expect(try tokens.verify(signed.token, now: hourLater) == signed.claims)
        }
    }

    @Test func aBrokenFileChangesNothing() async throws {
        try await TemporaryHome.with { home in
            let file = SigningKeysFile(path: home.appending("keys.json").string)
            let tokens = AccessTokens(keys: try file.loadOrCreate(now: 1_000), issuer: "i", audience: "a")
            let kids = tokens.keys.keys.map(\.kid)
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            KeysFileReader(file: SigningKeysFile(path: "/nowhere"), tokens: tokens, logger: logger).read()
            #expect(tokens.keys.keys.map(\.kid) == kids)
        }
    }
}
