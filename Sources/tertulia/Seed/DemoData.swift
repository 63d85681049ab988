import Postgres

/// Demo data: a function of size and seed.
struct DemoData: Sendable {
    struct Size: Sendable, Equatable {
        var users = 50
        var thoughts = 300
        var comments = 1_500
        var likes = 750
        var events = 30
        var rsvps = 300
    }

    let size: Size
    let seed: UInt64
    let users: [DemoUser]
    let thoughts: [DemoThought]
    let events: [DemoEvent]

    /// The end of the written data, in milliseconds since 1970: 2026-11-01. Events start in the year after it.
    static let end: Int64 = 1_793_491_200_000
    private static let day: Int64 = 86_400_000

    private enum Part: UInt64 { case users, thoughts, comments, likes, events, rsvps }

    init(size: Size, seed: UInt64) {
        self.size = size
        self.seed = seed
        var generator = SplitMix64(seed: seed, part: Part.users.rawValue)
        let users = (0..<size.users).map { Self.user($0, of: size.users, seed: seed, using: &generator) }
        self.users = users
        generator = SplitMix64(seed: seed, part: Part.thoughts.rawValue)
        thoughts = (0..<size.thoughts).map { Self.thought($0, of: size.thoughts, by: users, using: &generator) }
        generator = SplitMix64(seed: seed, part: Part.events.rawValue)
        events = (0..<size.events).map { Self.event($0, of: size.events, by: users, using: &generator) }
    }

    /// Generates the comments thought by thought, so that a batch touches few thoughts.
    func forEachComment(_ body: (DemoComment) async throws -> Void) async throws {
        var generator = SplitMix64(seed: seed, part: Part.comments.rawValue)
        let counts = Self.distribute(size.comments, over: thoughts.count, using: &generator)
        for (thought, count) in zip(thoughts, counts) {
            for _ in 0..<count {
                let time = min(
                    thought.publishedAt.unixMilliseconds + .random(in: 1...Self.day, using: &generator), Self.end)
                let text = "\(Self.pick(DemoVocabulary.replies, &generator)) \(Self.sentence(&generator))"
                try await body(
                    DemoComment(
                        id: .v7(now: time, using: &generator), author: Self.pick(users, &generator).id,
                        thought: thought.id, text: text, createdAt: Timestamp(unixMilliseconds: time)))
            }
        }
    }

    func forEachLike(_ body: (DemoLike) async throws -> Void) async throws {
        var generator = SplitMix64(seed: seed, part: Part.likes.rawValue)
        let counts = Self.distribute(size.likes, over: thoughts.count, using: &generator)
        for (thought, count) in zip(thoughts, counts) {
            for user in Self.distinct(count, of: users, using: &generator) {
                let time = min(
                    thought.publishedAt.unixMilliseconds + .random(in: 1...Self.day, using: &generator), Self.end)
                try await body(
                    DemoLike(thought: thought.id, user: user.id, createdAt: Timestamp(unixMilliseconds: time)))
            }
        }
    }

    func forEachRSVP(_ body: (DemoRSVP) async throws -> Void) async throws {
        var generator = SplitMix64(seed: seed, part: Part.rsvps.rawValue)
        let counts = Self.distribute(size.rsvps, over: events.count, using: &generator)
        for (event, count) in zip(events, counts) {
            for user in Self.distinct(count, of: users, using: &generator) {
                try await body(
                    DemoRSVP(
                        event: event.id, user: user.id, isGoing: .random(using: &generator),
                        createdAt: event.createdAt))
            }
        }
    }

    // MARK: Rows

    private static func user(_ number: Int, of count: Int, seed: UInt64, using generator: inout SplitMix64) -> DemoUser
    {
        let given = pick(DemoVocabulary.givenNames, &generator)
        let family = pick(DemoVocabulary.familyNames, &generator)
        let time = end - 730 * day + 300 * day * Int64(number) / Int64(max(count, 1))
        // The suffix keeps the usernames of different seeds apart.
        let suffix = seed == 1 ? "" : "_\(String(seed, radix: 36))"
        return DemoUser(
            id: .v7(now: time, using: &generator), username: "\(given.lowercased())\(number + 1)\(suffix)",
            displayName: "\(given) \(family)", createdAt: Timestamp(unixMilliseconds: time))
    }

    private static func thought(
        _ number: Int, of count: Int, by users: [DemoUser], using generator: inout SplitMix64
    ) -> DemoThought {
        let time = end - 400 * day + 400 * day * Int64(number) / Int64(max(count, 1))
        return DemoThought(
            id: .v7(now: time, using: &generator), author: pick(users, &generator).id,
            category: pick(["FUNNY", "SERIOUS", "CRAZY"], &generator), text: sentence(&generator),
            publishedAt: Timestamp(unixMilliseconds: time))
    }

    private static func event(
        _ number: Int, of count: Int, by users: [DemoUser], using generator: inout SplitMix64
    ) -> DemoEvent {
        let created = end - 60 * day + 60 * day * Int64(number) / Int64(max(count, 1))
        let hour = Int64.random(in: 16...20, using: &generator) * 3_600_000
        let start = end + Int64.random(in: 0..<365, using: &generator) * day + hour
        let place = pick(DemoVocabulary.places, &generator)
        let name = pick(DemoVocabulary.gatherings, &generator)
        return DemoEvent(
            id: .v7(now: created, using: &generator), author: pick(users, &generator).id, name: name,
            description: "\(name) for everyone who likes to stay for one more round. Bring a friend and a question.",
            location: place.0, timeZone: place.1, startsAt: Timestamp(unixMilliseconds: start),
            endsAt: Timestamp(unixMilliseconds: start + 7_200_000), createdAt: Timestamp(unixMilliseconds: created))
    }

    private static func sentence(_ generator: inout SplitMix64) -> String {
        [DemoVocabulary.openings, DemoVocabulary.subjects, DemoVocabulary.predicates]
            .map { pick($0, &generator) }.joined(separator: " ")
    }

    // MARK: Choices

    private static func pick<Element>(_ elements: [Element], _ generator: inout SplitMix64) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }

    private static func distribute(_ total: Int, over count: Int, using generator: inout SplitMix64) -> [Int] {
        var counts = [Int](repeating: 0, count: count)
        guard count > 0 else { return counts }
        for _ in 0..<total { counts[Int.random(in: 0..<count, using: &generator)] += 1 }
        return counts
    }

    /// Chooses different users, at most all of them.
    private static func distinct(_ count: Int, of users: [DemoUser], using generator: inout SplitMix64) -> [DemoUser] {
        var chosen: Set<Int> = []
        var picked: [DemoUser] = []
        while picked.count < min(count, users.count) {
            let index = Int.random(in: 0..<users.count, using: &generator)
            if chosen.insert(index).inserted { picked.append(users[index]) }
        }
        return picked
    }
}
