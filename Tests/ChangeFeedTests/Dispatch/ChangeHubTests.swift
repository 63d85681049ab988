import Postgres
import Testing

@testable import ChangeFeed

extension ObjectKind {
    /// The kind of a room. A row's owner is the person who came into the room or left it.
    fileprivate static let room = ObjectKind(rawValue: "room")
    /// The kind of an ignored person. A row's owner ignores the object.
    fileprivate static let ignored = ObjectKind(rawValue: "ignored")
}

/// The rooms that a person is in, and the people whom the person ignores.
private struct Rooms: ChangeFold {
    let viewer: UUID?
    var rooms: Set<UUID> = []
    var ignored: Set<UUID> = []

    var topics: [ChangeTopic] {
        rooms.map(ChangeTopic.subject) + (viewer.map { [.owner(.room, $0), .owner(.ignored, $0)] } ?? [])
    }

    mutating func apply(_ change: Change) -> FoldEffect? {
        var effect = FoldEffect()
        switch change.object.kind {
        case .room where change.state?.owner == viewer:
            if change.after != nil {
                rooms.insert(change.object.uuid)
                effect.joined = [.subject(change.object.uuid)]
            } else {
                rooms.remove(change.object.uuid)
                effect.left = [.subject(change.object.uuid)]
            }
        case .ignored where change.state?.owner == viewer:
            ignored.insert(change.object.uuid)
            effect.person = change.object.uuid
            effect.isHidden = true
        default: return nil
        }
        return effect
    }

    var hidesNobody: Bool { ignored.isEmpty }
    func hides(_ person: UUID) -> Bool { ignored.contains(person) }
}

/// The polls in the rooms that a person is in.
private struct PollsInRooms: ChangeScope {
    typealias Context = NoRequest
    typealias Object = Never

    var topics: [ChangeTopic] { [.kind(.ignored)] }

    func fold(for viewer: UUID?) -> Rooms { Rooms(viewer: viewer) }
    func needsLoad(for viewer: UUID?) -> Bool { false }
    static func load(_ scopes: [PollsInRooms], _ loader: FoldLoader<NoRequest>) async throws -> [Rooms] { [] }

    func match(_ change: Change, for viewer: UUID?, _ fold: Rooms, _ effect: FoldEffect?) -> ChangeMatch? {
        if let person = effect?.person { return .bulk(.person(person), isHidden: true, []) }
        return match(kind(of: change, for: viewer, fold), of: change, fold)
    }

    func includes(_ object: ObjectID, _ state: ChangeState, for viewer: UUID?, _ fold: Rooms) -> Bool {
        object.kind == .poll && state.subject.map(fold.rooms.contains) ?? false
    }

    func people(of change: Change, _ fold: Rooms) -> [UUID] { [change.state?.owner].compactMap { $0 } }
}

@Suite struct ChangeHubTests {
    private static let (ana, ben, room) = (testUUID(0xA), testUUID(0xB), testUUID(0x100))

    private let hub = ChangeHub()
    private let subscriber = ChangeSubscriber(scope: PollsInRooms(), viewer: Self.ana)

    init() throws {
        hub.begin(epoch: 1, at: ChangePosition(transaction: 0, row: 0))
        guard case .live = hub.join(subscriber, after: nil) else { throw PostgresError.unavailable }
    }

    private func publish(_ number: Int64, _ object: ObjectID, before: ChangeState?, after: ChangeState?) {
        let position = ChangePosition(transaction: number, row: number)
        let change = Change(
            position: position, at: Timestamp(microseconds: 0), object: object, before: before, after: after,
            isCountersOnly: false)
        hub.publish([change], frontier: position)
    }

    private func publishPoll(_ number: Int64, by owner: UUID) {
        publish(number, poll(UInt64(number)), before: nil, after: ChangeState(owner: owner, subject: Self.room))
    }

    @Test func aFoldJoinsAndLeavesTopics() async throws {
        let (room, membership) = (ObjectID(.room, Self.room), ChangeState(owner: Self.ana))
        publishPoll(1, by: Self.ben)
        publish(2, room, before: nil, after: membership)
        publishPoll(3, by: Self.ben)
        publish(4, room, before: membership, after: nil)
        publishPoll(5, by: Self.ben)
        #expect(subscriber.queue.count == 1)
        #expect(try await subscriber.queue.next()?.cursor.position.row == 3)
        #expect(hub.statistics.topics == 3)
        hub.leave(subscriber)
        #expect(hub.statistics.topics == 0 && hub.statistics.subscriptions == 0)
    }

    /// The change has two topics of the subscriber.
    @Test func aChangeIsOfferedOnce() async throws {
        publish(1, ObjectID(.ignored, Self.ben), before: nil, after: ChangeState(owner: Self.ana))
        #expect(subscriber.queue.count == 1)
        let change = try #require(try await subscriber.queue.next())
        #expect(change.kind == .removed && change.bulk?.isHidden == true)
    }

    @Test func whoIsHiddenIsNotHeard() async throws {
        publish(1, ObjectID(.room, Self.room), before: nil, after: ChangeState(owner: Self.ana))
        publish(2, ObjectID(.ignored, Self.ben), before: nil, after: ChangeState(owner: Self.ana))
        publishPoll(3, by: Self.ben)
        publishPoll(4, by: Self.ana)
        let rows = [try await subscriber.queue.next(), try await subscriber.queue.next()]
        #expect(rows.map { $0?.cursor.position.row } == [2, 4])
        #expect(subscriber.queue.count == 0)
    }
}
