import Foundation
import GraphQL
import Synchronization
import TestSupport
import Testing

@testable import App
@testable import ChangeFeed

/// Histories of writes that depend on each other, each write in a transaction of its own, in every order in which the
/// transactions can have begun. A client that follows a list has at the end what a query gives: live, and from after each
/// number of writes, by a subscription and by `changes` in turn.
///
/// The histories of one round have objects of their own, and their writes share the transactions. Each order has other
/// histories. `scripts/orders` tries more of them, and five writes. One test at a time, because all wait for the oldest
/// transaction of the cluster.
@Suite(.serialized) struct EveryOrderTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let most = environment["TERTULIA_ORDERS"].flatMap { Int($0) } ?? 4
    private static let seed = environment["TERTULIA_ORDERS_SEED"].flatMap { Int($0) } ?? 0

    @Test(arguments: 2...Self.most) func everyListHasWhatAQueryGives(_ count: Int) async throws {
        let world = try await HiddenWorld.make()
        var events: [String: Int] = [:]
        for (number, order) in permutations(of: Array(0..<count)).enumerated() {
            try await Round(world, order, number, Self.seed).run(countingIn: &events)
        }
        let fields = ["feed", "event", "node", "comment", "message", "conversation"].map { "\($0)Changes" }
        for field in fields { #expect(events[field, default: 0] > 0, "\(field)") }
        await world.live.shutdown()
    }

    /// Each history that is performed in every order is one of its course.
    @Test(arguments: Course.all.flatMap { course in course.always.map { (course.name, $0) } }) func theCourseHas(
        _ course: String, _ names: [String]
    ) throws {
        let course = try #require(Course.all.first { $0.name == course })
        #expect(course.fixedHistories(of: names.count).contains { $0.steps.map(\.name) == names })
    }
}

/// Some histories that are performed side by side in one order.
private struct Round {
    private static let historiesOfACourse = 3

    let world: HiddenWorld
    let order: [Int]
    /// The number of the order.
    let number: Int
    let histories: [PlacedHistory]
    let lists: [FollowedList]

    init(_ world: HiddenWorld, _ order: [Int], _ number: Int, _ seed: Int) {
        self.world = world
        self.order = order
        self.number = number
        var place: UInt64 = 0x9000
        histories = Course.all.flatMap { course in
            let all = course.histories(of: order.count)
            let chosen = (0..<Self.historiesOfACourse).map { one in
                // The stride is a prime, so that neighbours in the list are in other rounds.
                all[(seed + number * Self.historiesOfACourse + one) * 7919 % all.count]
            }
            return (chosen + course.fixedHistories(of: order.count)).map { history in
                place += 0x10
                return PlacedHistory(history: history, place: place)
            }
        }
        let named = histories.flatMap(\.named)
        lists = Self.lists(named, histories.flatMap(\.subjects))
    }

    private static func lists(_ named: [String], _ subjects: [String]) -> [FollowedList] {
        let early = "startsBefore: \"2098-06-01T00:00:00Z\""
        var lists: [FollowedList] = []
        for person in [Person.nobody, .ben, .ana] {
            lists += [.feed("", as: person), .nodes(named, as: person), .events(early, as: person)]
        }
        let mods = "authorId: \"\(worldID(.user, 0xC))\""
        lists += [.feed(mods, as: .nobody), .events("\(mods), \(early)", as: .nobody)]
        lists += [.feed("", as: .ben, personal: true)]
        lists += [.feed("categories: [CRAZY]", as: .nobody), .feed("categories: [CRAZY]", as: .ana)]
        for subject in subjects {
            lists += [Person.nobody, .ben, .ana, .mod].map { .comments(of: subject, as: $0) }
        }
        // A client drops the messages of a conversation that its viewer leaves, and is not told of each.
        lists += [.messages(as: .ana), .conversations(as: .ben), .conversations(as: .ana)]
        return lists
    }

    /// - Parameter total: for each subscription's field, the number of events that live subscriptions got.
    func run(countingIn total: inout [String: Int]) async throws {
        let database = world.live.world
        try await database.execute(script: histories.map(\.setUp).joined())
        try await world.live.settle()

        var live: [Subscriber] = []
        var first: [CopyOfAList] = []
        for list in lists {
            live.append(try await world.live.subscribe(list.subscription, as: list.person))
            first.append(try await query(list).copy)
        }
        // The cursors after each number of writes, and how many events each client had then.
        var cursors: [String] = []
        var counts: [[Int]] = []
        func note() async throws {
            for reader in live { try await eventually("what is read so far has come") { reader.isCaughtUp } }
            cursors.append(try world.cursor())
            counts.append(live.map(\.count))
        }
        try await note()
        let writes = order.indices.map { number in histories.map { $0.write(number) }.joined() }
        try await world.perform(writes, order, note)

        for (place, list) in lists.enumerated() {
            let events = live[place].all
            total[list.field, default: 0] += events.count
            let expected = try await query(list)
            expect(copy(first[place], events, list), is: expected.copy, of: list, "live")
            for (writes, cursor) in cursors.dropLast().enumerated() {
                let before = copy(first[place], Array(events.prefix(counts[writes][place])), list)
                if (number + place + writes).isMultiple(of: 2) {
                    let copy = try await resume(list, after: cursor, before, isThere: expected.isThere)
                    expect(copy, is: expected.copy, of: list, "resumed after \(writes) writes")
                } else {
                    let copy = try await changes(of: list, after: cursor, before, isThere: expected.isThere)
                    expect(copy, is: expected.copy, of: list, "by changes after \(writes) writes")
                }
            }
            live[place].close()
        }
        try await removeAll()
    }

    private static let prepared = Mutex<[String: PreparedOperation<RequestContext>]>([:])

    /// Prepares each text once, as the server does.
    private func ask(
        _ text: String, _ variables: InputObject = InputObject(), as person: Person
    ) async throws -> Answer {
        let operation = try Self.prepared.withLock { prepared in
            if let known = prepared[text] { return known }
            let new = try OperationRunner.prepare(text)
            prepared[text] = new
            return new
        }
        let response = try await OperationRunner.respond(operation, variables, world.live.world.context(as: person))
        return try Answer(String(decoding: response.body, as: UTF8.self))
    }

    /// A query's copy of a list. `isThere` is false if the list's root is null.
    private func query(_ list: FollowedList) async throws -> (copy: CopyOfAList, isThere: Bool) {
        let answer = try await ask("{ list: \(list.query) }", as: list.person)
        #expect(answer.isData, "\(list): \(answer.text)")
        let value = answer["list"]
        if case .null = value { return (CopyOfAList(nil), false) }
        return (CopyOfAList(value), true)
    }

    private func copy(_ before: CopyOfAList, _ events: [Answer], _ list: FollowedList) -> CopyOfAList {
        var copy = before
        for event in events {
            let isEvent = copy.take(event[list.field])
            #expect(isEvent, "\(list): \(event.text)")
        }
        return copy
    }

    // A list of comments cannot be asked for while its subject is not there, and is empty then.

    private func resume(
        _ list: FollowedList, after cursor: String, _ before: CopyOfAList, isThere: Bool
    ) async throws -> CopyOfAList {
        var context = world.live.world.context(as: list.person)
        context.resumeAfter = cursor
        let resumed = try await world.live.subscribe(list.subscription, context)
        if let code = resumed.refusal?.code {
            #expect(code == "NOT_FOUND" && !isThere, "\(list): \(code)")
            return CopyOfAList(nil)
        }
        try await eventually("what was missed has come") { resumed.isCaughtUp }
        resumed.close()
        return copy(before, resumed.all, list)
    }

    private func changes(
        of list: FollowedList, after cursor: String, _ before: CopyOfAList, isThere: Bool
    ) async throws -> CopyOfAList {
        var (copy, cursor, isComplete) = (before, cursor, false)
        while !isComplete {
            let answer = try await ask(
                list.changes, InputObject([("after", .string(cursor))]), as: list.person)
            if let code = answer.code {
                #expect(code == "NOT_FOUND" && !isThere, "\(list): \(code)")
                return CopyOfAList(nil)
            }
            guard case .list(let nodes) = answer["changes", "nodes"],
                let end = answer.string("changes", "pageInfo", "endCursor"),
                case .boolean(let hasNext) = answer["changes", "pageInfo", "hasNextPage"]
            else {
                Issue.record("\(list): \(answer.text)")
                return copy
            }
            for node in nodes {
                let isEvent = copy.take(node)
                #expect(isEvent, "\(list): \(node)")
            }
            (cursor, isComplete) = (end, !hasNext)
        }
        return copy
    }

    private func expect(
        _ copy: CopyOfAList, is expected: CopyOfAList, of list: FollowedList, _ what: String
    ) {
        if copy == expected { return }
        let histories = histories.map { "\($0.history) \(worldUUID($0.place))" }.joined(separator: "\n")
        Issue.record("\(order), \(list), \(what): \(copy.differences(from: expected))\n\(histories)")
    }

    /// Removes all objects of the round, so that the lists stay short.
    private func removeAll() async throws {
        let (first, last) = (worldUUID(0x9000), worldUUID(0x9FFF))
        let tables = ["comments", "thoughts", "events", "messages", "conversations", "users"]
        try await world.live.world.execute(
            script: tables.map { "delete from \($0) where id between '\(first)' and '\(last)';" }.joined())
        try await world.live.settle()
    }
}
