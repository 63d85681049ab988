import GraphQL
import Postgres
import TestSupport
import Testing

@testable import App
@testable import ChangeFeed

/// Blocks, while somebody is subscribed or away: nobody is told of what queries do not show them.
@Suite struct HiddenChangesTests {
    private static let anas = HiddenWorld.anas
    private static let bens = HiddenWorld.bens
    private static let marker = HiddenWorld.marker

    @Test func blockedPeopleLoseSightOfEachOther() async throws {
        let world = try await HiddenWorld.make()
        let before = try world.cursor()
        let ana = try await world.feed(as: .ana)
        let ben = try await world.feed(as: .ben)
        let nobody = try await world.feed(as: .nobody)
        try await world.edit(Self.bens[0], as: .ben)
        _ = (try await ana.take(1), try await ben.take(1))
        try await world.block(0xB, as: .ana)
        _ = (try await ana.take(3), try await ben.take(4))
        try await world.edit(Self.bens[0], as: .ben)
        try await world.edit(Self.anas[0], as: .ana)
        try await world.edit(Self.marker, as: .mod)
        _ = (try await ana.take(5), try await ben.take(6))
        try await world.unblock(0xB, as: .ana)
        _ = (try await ana.take(7), try await ben.take(9))
        try await world.edit(Self.bens[0], as: .ben)
        try await world.edit(Self.marker, as: .mod)

        let end = [Self.bens[0], Self.marker].all("CHANGED")
        let toAna =
            [Self.bens[0]].all("CHANGED") + Self.bens.all("REMOVED") + [Self.anas[0], Self.marker].all("CHANGED")
            + Self.bens.all("ADDED") + end
        let toBen =
            [Self.bens[0]].all("CHANGED") + Self.anas.all("REMOVED") + [Self.bens[0], Self.marker].all("CHANGED")
            + Self.anas.all("ADDED") + end
        let answers = try await ana.take(9)
        #expect(HiddenWorld.told(answers) == toAna)
        #expect(HiddenWorld.told(try await ben.take(11)) == toBen)
        #expect(
            HiddenWorld.told(try await nobody.take(6))
                == [Self.bens[0], Self.bens[0], Self.anas[0], Self.marker].all("CHANGED") + end)

        // Whoever was away hears the same, from memory, from the log, and as a list.
        let replica = HiddenWorld(live: try await LiveWorld(world.live.world))
        for place in [world, replica] {
            #expect(HiddenWorld.told(try await place.feed(after: before, as: .ana).take(9)) == toAna)
            #expect(HiddenWorld.told(try await place.feed(after: before, as: .ben).take(11)) == toBen)
            #expect(try await place.list(after: before, as: .ana) == toAna)
            #expect(try await place.list(after: before, as: .ben) == toBen)
            for (number, answer) in answers.enumerated() {
                let cursor = try #require(answer.string("feedChanges", "cursor"))
                // In the middle of what came at once, all of it comes again.
                let next = number == 1 || number == 5 ? number : number + 1
                #expect(try await place.list(after: cursor, as: .ana) == Array(toAna[next...]), "\(number)")
            }
            // A page has no room for half of what comes at once.
            #expect(try await place.list(after: before, first: 2, as: .ana) == Array(toAna[..<1]))
            let cursor = try #require(answers[0].string("feedChanges", "cursor"))
            #expect(try await place.list(after: cursor, first: 1, as: .ana) == ["CURSOR_EXPIRED"])
        }
        await replica.live.stop()
        await world.live.shutdown()
    }

    /// What happened before a block is not told after it. Who was there is told by the first block alone that the objects
    /// are gone; who was away may have read them between the two.
    @Test func whatWasMissedOfSomebodyBlockedSince() async throws {
        let world = try await HiddenWorld.make()
        let before = try world.cursor()
        // Matched before the block, read after it.
        let waiting = try await world.live.stream(
            "feedChanges { kind nodeId node { id } }", world.live.world.context(as: .ana))
        try await world.edit(Self.bens[0], as: .ben)
        try await world.block(0xB, as: .ana)
        try await world.unblock(0xB, as: .ana)
        try await world.block(0xB, as: .ana)
        try await world.edit(Self.marker, as: .mod)
        try await world.live.settle()
        let end = [Self.marker].all("CHANGED")
        #expect(HiddenWorld.told(try await Subscriber(waiting).take(3)) == Self.bens.all("REMOVED") + end)
        let expected = Self.bens.all("REMOVED") + Self.bens.all("REMOVED") + end
        let replica = HiddenWorld(live: try await LiveWorld(world.live.world))
        for place in [world, replica] {
            let resumed = try await place.feed(after: before, as: .ana)
            #expect(HiddenWorld.told(try await resumed.take(expected.count)) == expected)
            #expect(try await place.list(after: before, as: .ana) == expected)
        }
        await replica.live.stop()
        await world.live.shutdown()
    }

    /// When the block is told of, it is not there any more, or not to be seen by anybody; what came since is told of to
    /// nobody from whom it is hidden.
    @Test func whatWentWhileItWasHidden() async throws {
        let world = try await HiddenWorld.make()
        let before = try world.cursor()
        try await world.block(0xB, as: .ana)
        try await world.mutate("createThought(input: {category: FUNNY, text: \"Hidden\"})", as: .ben)
        try await world.mutate("unpublishThought(input: {id: \"\(Self.bens[0])\"})", as: .ben)
        try await world.mutate("deleteEvent(input: {id: \"\(Self.bens[1])\"})", as: .ben)
        try await world.edit(Self.marker, as: .mod)
        try await world.live.settle()
        let expected = Self.bens.all("REMOVED") + [Self.marker].all("CHANGED")
        let replica = HiddenWorld(live: try await LiveWorld(world.live.world))
        for place in [world, replica] {
            let resumed = try await place.feed(after: before, as: .ana)
            let answers = try await resumed.take(expected.count)
            #expect(HiddenWorld.told(answers) == expected)
            #expect(try await place.list(after: before, as: .ana) == expected)
            // With the last of them all were told of.
            for (number, next) in [(0, 0), (1, 2)] {
                let cursor = try #require(answers[number].string("feedChanges", "cursor"))
                #expect(try await place.list(after: cursor, as: .ana) == Array(expected[next...]))
            }
        }
        await replica.live.stop()
        await world.live.shutdown()
    }

    /// The tail may not read a block yet while an older transaction runs; what is missed until then is hidden already.
    @Test func whatWasMissedOfSomebodyWhoseBlockIsNotReadYet() async throws {
        let world = try await HiddenWorld.make()
        let before = try world.cursor()
        try await world.edit(Self.bens[0], as: .ben)
        try await world.live.settle()
        let database = world.live.world
        let older = try await DedicatedConnection.open(ConnectionConfiguration(database.url))
        try await older.execute(script: "begin; select pg_current_xact_id()")
        try await world.block(0xB, as: .ana)
        let resumed = try await world.feed(after: before, as: .ana)
        try await eventually("what was missed is read") { resumed.isCaughtUp }
        #expect(resumed.count == 0)
        await older.close()
        let expected = Self.bens.all("REMOVED")
        #expect(HiddenWorld.told(try await resumed.take(expected.count)) == expected)
        await world.live.shutdown()
    }

    /// What came after the end of a block is told of by its own change alone: a block that nobody knows of yet may have
    /// come before it.
    @Test func whatCameSinceItWasHidden() async throws {
        let world = try await HiddenWorld.make()
        try await world.block(0xB, as: .ana)
        try await world.live.settle()
        let before = try world.cursor()
        try await world.unblock(0xB, as: .ana)
        let new = worldID(.thought, 0x2C2)
        try await world.mutate("createThought(input: {id: \"\(new)\", category: FUNNY, text: \"New\"})", as: .ben)
        try await world.edit(Self.bens[0], as: .ben)
        try await world.live.settle()
        let expected = (Self.bens + [new]).all("ADDED") + [Self.bens[0]].all("CHANGED")
        let resumed = try await world.feed(after: before, as: .ana)
        #expect(HiddenWorld.told(try await resumed.take(expected.count)) == expected)
        #expect(try await world.list(after: before, as: .ana) == expected)
        await world.live.shutdown()
    }

    /// From the middle of what a block does, counters come again that were held back until then.
    @Test func whatIsHeldBackMeanwhile() async throws {
        let world = try await HiddenWorld.make()
        let context = world.live.world.context(as: .ana)
        let now = try #require(world.live.world.environment.changes.cursor)
        let held = ChangePosition(transaction: now.position.transaction, row: 1)
        let block = Change(
            position: now.position, at: .now(), object: ObjectID(.block, worldUUID(0xB)), before: nil, after: nil,
            isCountersOnly: false)
        let cursor = ChangeCursor(epoch: now.epoch, position: now.position, held: held)
        let subscriber = ChangeSubscriber(scope: FeedChanges(filter: FeedFilter()), viewer: worldUUID(0xA))
        let bulk = BulkVisibilityChange(
            .person(worldUUID(0xB)), isHidden: true, [], Blocks(unknownOf: worldUUID(0xA)))
        let told = try await subscriber.changes(of: bulk, SharedChange(block, cursor: cursor), context)
        #expect(told.map(\.shared.cursor) == [cursor.before(block), cursor] && cursor.before(block).held == held)
        await world.live.shutdown()
    }

    /// Whoever reads the log from an older place meets the blocks of others.
    @Test func blocksOfOthersAreNoConcern() async throws {
        let world = try await HiddenWorld.make()
        let before = try world.cursor()
        let badges = try await world.live.subscribe(
            "viewerChanges(after: \"\(before)\") { viewer { id } }", as: .mod)
        try await world.block(0xB, as: .ana)
        try await world.edit(Self.anas[0], as: .ana)
        try await world.edit(Self.bens[0], as: .ben)
        try await world.edit(Self.marker, as: .mod)
        try await world.live.settle()
        let expected = [Self.anas[0], Self.bens[0], Self.marker].all("CHANGED")
        let replica = HiddenWorld(live: try await LiveWorld(world.live.world))
        for place in [world, replica] {
            for person in [Person.mod, .zoe] {
                let resumed = try await place.feed(after: before, as: person)
                #expect(HiddenWorld.told(try await resumed.take(expected.count)) == expected)
                #expect(try await place.list(after: before, as: person) == expected)
            }
            let late = try await place.live.subscribe(
                "viewerChanges(after: \"\(before)\") { viewer { id } }", as: .mod)
            try await place.live.settle()
            #expect(late.count == 0)
        }
        #expect(badges.count == 0)
        await replica.live.stop()
        await world.live.shutdown()
    }

    @Test(arguments: [256, 257]) func manyObjectsAtOnceEndTheStream(_ count: Int) async throws {
        let world = try await HiddenWorld.make()
        try await world.live.world.execute(
            script: """
                delete from thoughts where author_id = '\(worldUUID(0xB))';
                insert into thoughts (id, author_id, category, text, status, published_at)
                select uuid_v7(), '\(worldUUID(0xB))', 'FUNNY', 'One of many', 'PUBLISHED', now()
                from generate_series(1, \(count))
                """)
        try await world.live.settle()
        let thoughts = try await world.live.subscribe(
            "feedChanges(filter: {kinds: [THOUGHT]}) { kind nodeId node { id } }", as: .ana)
        // Of another filter, one object.
        let events = try await world.live.subscribe(
            "feedChanges(filter: {kinds: [EVENT]}) { kind nodeId node { id } }", as: .ana)
        // Of another person, none.
        let others = try await world.live.subscribe(
            "feedChanges(filter: {authorId: \"\(worldID(.user, 0xC))\"}) { kind nodeId node { id } }", as: .ana)
        try await world.block(0xB, as: .ana)
        try await world.edit(Self.marker, as: .mod)
        #expect(HiddenWorld.told(try await events.take(1)) == [Self.bens[1]].all("REMOVED"))
        #expect(HiddenWorld.told(try await others.take(1)) == [Self.marker].all("CHANGED"))
        if count > 256 {
            #expect(HiddenWorld.told(try await thoughts.take(2)) == ["CURSOR_EXPIRED"])
        } else {
            let told = HiddenWorld.told(try await thoughts.take(count + 1))
            #expect(told.prefix(count).allSatisfy { $0.hasPrefix("REMOVED") } && Set(told).count == count + 1)
            #expect(told.last == "CHANGED \(Self.marker)")
        }
        await world.live.shutdown()
    }

    /// A block of others leaves the shared read shared.
    @Test func onlyThoseWhomABlockConcernsAreToldOtherwise() async throws {
        let world = try await HiddenWorld.make()
        try await world.block(0xD, as: .ben)
        try await world.block(0xC, as: .ana)
        try await world.live.settle()
        let people: [Person] = [.nobody, .ben, .zoe, .mod]
        let alike = try await concurrently(40) { try await world.feed(as: people[$0 % 4]) }
        _ = world.live.world.statements.take()
        // Moderators see who blocked them.
        try await world.edit(Self.anas[0], as: .ana)
        for subscriber in alike {
            #expect(HiddenWorld.told(try await subscriber.take(1)) == [Self.anas[0]].all("CHANGED"))
        }
        let reads = world.live.world.statements.take().flatMap(\.statements).filter { $0.contains("join users") }
        #expect(reads.count == 1, "\(reads)")
        await world.live.shutdown()
    }

    @Test func objectsByTheirIDs() async throws {
        let world = try await HiddenWorld.make()
        // In the order of the ids.
        let anas = [
            worldID(.user, 0xA), worldID(.thought, 0x201), worldID(.event, 0x302), worldID(.comment, 0x401),
            worldID(.comment, 0x402), worldID(.comment, 0x403),
        ]
        let ids = (anas + [worldID(.thought, 0x204), worldID(.user, 0xB), Self.marker]).map { "\"\($0)\"" }
        let zoe = try await world.live.subscribe(
            "nodeChanges(ids: [\(ids.joined(separator: ", "))]) { kind nodeId node { id } }", as: .zoe)
        try await world.live.world.execute(
            script: "insert into blocks (blocker_id, blocked_id) values ('\(worldUUID(0xA))', '\(worldUUID(0xD))')")
        // Ben's comment on ana's thought, too.
        #expect(HiddenWorld.told(try await zoe.take(6), "nodeChanges") == anas.all("REMOVED"))
        try await world.live.world.execute(script: ChangeDocuments.script)
        try await world.edit(Self.marker, as: .mod)
        // Nobody hears of what goes on behind a block.
        #expect(HiddenWorld.told(try await zoe.take(7), "nodeChanges").last == "CHANGED \(Self.marker)")
        await world.live.shutdown()
    }
}
