import Testing

@testable import Auth

@Suite struct VerifiedTokenCacheTests {
    private let now: Int64 = 1_800_000_000
    private let tokens = AccessTokens(keys: .generate(now: 1_799_000_000), issuer: "i", audience: "a")

    private func token(_ subject: String = "user_01", now: Int64? = nil) -> String {
        tokens.sign(subject: subject, session: "session_01", isAnonymous: false, now: now ?? self.now).token
    }

    @Test func aTokenOfARemovedKeyIsRefused() throws {
        let cache = VerifiedTokenCache(tokens)
        let token = token()
        let claims = try cache.verify(token, now: now)
        tokens.keys = tokens.keys.rotated(now: now, tokenLifetime: tokens.lifetime)
        #expect(cache.contains(token))
        #expect(try cache.verify(token, now: now) == claims)
        tokens.keys = .generate(now: now)
        #expect(throws: AccessTokenError.unknownKey) { try cache.verify(token, now: now) }
        #expect(!cache.contains(token))
    }

    @Test func aHitExpiresWithItsToken() throws {
        let cache = VerifiedTokenCache(tokens)
        let token = token()
        _ = try cache.verify(token, now: now)
        #expect(throws: Never.self) { try cache.verify(token, now: now + 929) }
        #expect(throws: AccessTokenError.expired) { try cache.verify(token, now: now + 930) }
    }

    @Test func refusalsAreNotKept() {
        let cache = VerifiedTokenCache(tokens)
        for index in 0..<1_000 {
            #expect(throws: AccessTokenError.self) { try cache.verify("forged.\(index)", now: now) }
        }
        #expect(throws: AccessTokenError.malformed) { try cache.verify(String(repeating: "x", count: 5_000), now: now) }
        #expect(cache.count == 0)
    }

    @Test func itIsBounded() throws {
        let cache = VerifiedTokenCache(tokens, capacity: 320)
        for index in 0..<2_000 { _ = try cache.verify(token("user_\(index)"), now: now) }
        #expect(cache.count <= 320)
        #expect(cache.count >= 160)
    }

    @Test func itIsBoundedByTheMemoryOfTheClaims() throws {
        let cache = VerifiedTokenCache(tokens, bytes: 256 << 10)
        // Each claims about 2 KiB.
        for index in 0..<500 {
            _ = try cache.verify(token("user_\(index)_" + String(repeating: "x", count: 2_000)), now: now)
        }
        #expect(cache.count <= 128)
        #expect(cache.count >= 32)
    }

    @Test func whatIsUsedStays() throws {
        let cache = VerifiedTokenCache(tokens, capacity: 640)
        let hot = token("hot")
        _ = try cache.verify(hot, now: now)
        for index in 0..<1_000 {
            _ = try cache.verify(token("user_\(index)"), now: now)
            #expect(cache.contains(hot))
            _ = try cache.verify(hot, now: now)
        }
    }

    @Test func manyTasksAtOnce() async {
        let cache = VerifiedTokenCache(tokens, capacity: 64)
        let all = (0..<100).map { token("user_\($0)") }
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<16 {
                group.addTask {
                    (0..<500).allSatisfy { round in
                        let index = (round * 7 + task * 13) % 100
                        return (try? cache.verify(all[index], now: now))?.subject == "user_\(index)"
                    }
                }
            }
            for await right in group { #expect(right) }
        }
        #expect(cache.count <= 64)
    }
}
