import Testing

@testable import tertulia

@Suite struct DemoDataTests {
    private func comments(_ data: DemoData) async throws -> [DemoComment] {
        var rows: [DemoComment] = []
        try await data.forEachComment { rows.append($0) }
        return rows
    }

    private func likes(_ data: DemoData) async throws -> [DemoLike] {
        var rows: [DemoLike] = []
        try await data.forEachLike { rows.append($0) }
        return rows
    }

    @Test func theSameSeedGivesTheSameData() async throws {
        let one = DemoData(size: .init(), seed: 7)
        let other = DemoData(size: .init(), seed: 7)
        #expect(one.users == other.users)
        #expect(one.thoughts == other.thoughts)
        #expect(one.events == other.events)
        #expect(try await comments(one) == comments(other))
        #expect(try await likes(one) == likes(other))
    }

    @Test func anotherSeedGivesOtherData() {
        let one = DemoData(size: .init(), seed: 1)
        let other = DemoData(size: .init(), seed: 2)
        #expect(Set(one.users.map(\.id)).isDisjoint(with: other.users.map(\.id)))
        #expect(Set(one.users.map(\.username)).isDisjoint(with: other.users.map(\.username)))
    }

    @Test func sizesAreAsAsked() async throws {
        let size = DemoData.Size(users: 40, thoughts: 30, comments: 200, likes: 100, events: 5, rsvps: 50)
        let data = DemoData(size: size, seed: 3)
        #expect(data.users.count == 40)
        #expect(data.thoughts.count == 30)
        #expect(data.events.count == 5)
        #expect(try await comments(data).count == 200)
        #expect(try await likes(data).count == 100)
        var rsvps = 0
        try await data.forEachRSVP { _ in rsvps += 1 }
        #expect(rsvps == 50)
    }

    @Test func nobodyLikesTwice() async throws {
        let data = DemoData(size: .init(users: 3, thoughts: 10, comments: 0, likes: 500, events: 0, rsvps: 0), seed: 1)
        let likes = try await likes(data)
        #expect(Set(likes.map { "\($0.thought) \($0.user)" }).count == likes.count)
        #expect(likes.count == 30)
    }

    /// The limits of the API hold for demo data, too.
    @Test func namesAndTextsAreWithinTheirLimits() {
        let data = DemoData(size: .init(users: 100, thoughts: 100, events: 100), seed: .max)
        for user in data.users {
            #expect(3...30 ~= user.username.count)
            #expect(user.username.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "_") })
        }
        #expect(data.thoughts.allSatisfy { 1...2000 ~= $0.text.count })
        #expect(data.events.allSatisfy { 1...140 ~= $0.description.count && 1...100 ~= $0.name.count })
    }
}
