import GraphQL
import Postgres
import TestSupport
import Testing

@testable import App
@testable import ChangeFeed

/// What a subscription tells a viewer is, byte for byte, what the viewer's own query gives, whoever subscribes beside.
/// Documents are written from the schema: of each subscription field one with every field that can be reached, and one
/// with all that are shared.
@Suite struct ViewerKindsTests {
    @Test func everyFieldIsAsInTheViewersOwnQuery() async throws {
        let executable = try OperationRunner.schema.get()
        let schema = executable.schema
        let root = try #require(schema.subscriptionType)
        let sharedFields = Set(executable.sharedFields)
        let world = try await ViewerWorld.make()
        var whole = WholeSelection(schema)
        var shared = WholeSelection(schema) { sharedFields.contains($0) }
        let wholeDocuments = try schema[root].fields.map { try EventDocument($0, world.arguments, &whole) }
        let sharedDocuments = try schema[root].fields.map { try EventDocument($0, world.arguments, &shared) }
        let reachable = WholeSelection.reachable(from: root, of: schema).filter { !$0.hasPrefix("Subscription.") }
        #expect(reachable.subtracting(whole.coordinates) == [])
        #expect(sharedFields.subtracting(shared.coordinates) == [])
        #expect(whole.missingArguments == [])

        let told = try await world.told(wholeDocuments + sharedDocuments)
        for (viewer, values) in Dictionary(grouping: told, by: \.viewer) {
            for (selection, values) in Dictionary(grouping: values, by: \.selection) {
                let own = try await world.ownAnswers(selection, Set(values.map(\.id)), as: viewer)
                for value in values {
                    #expect(value.text == own[value.id], "\(viewer), \(value.place) \(value.id)")
                }
            }
        }
        // What is shared is the same for all.
        let sharedTexts = Set(sharedDocuments.map(\.text))
        let sharedObjects = told.filter { sharedTexts.contains($0.document) && !$0.isPrivate }
        for (_, values) in Dictionary(grouping: sharedObjects, by: \.key) {
            #expect(Set(values.map(\.text)).count == 1 && Set(values.map(\.scalars)).count == 1, "\(values[0].place)")
        }
        // Nothing of the two above says much unless objects came, and differ.
        let figures = ToldFields(told)
        #expect(sharedFields.subtracting(figures.fields) == [])
        let sharedTypes = Set(sharedFields.compactMap { $0.split(separator: ".").first })
        let alike = figures.alike.filter {
            !sharedFields.contains($0) && sharedTypes.contains($0.prefix { $0 != "." })
        }
        // A person whom the viewer blocked is not visible to the viewer.
        #expect(alike == ["User.viewerHasBlocked"])
        await world.live.shutdown()
    }
}

/// A subscription with a selection of its event.
private struct EventDocument {
    let text: String
    /// Whether its events come from the log.
    let isLogged: Bool
    /// The names of the event's scalars in the response.
    let scalars: [String]
    let nodeID: String
    /// The names of its objects, each with its selection as a query of `nodes` has it.
    let objects: [(name: String, selection: String)]

    init(_ field: FieldType, _ arguments: [String: String], _ selection: inout WholeSelection) throws {
        let event = selection.schema[field.namedType]
        var scalars: [String] = []
        var objects: [(String, String)] = []
        var text = "__typename"
        for field in event.fields where selection.includes("\(event.name).\(field.name)") {
            let name = WholeSelection.alias("\(event.name).\(field.name)")
            text += " " + selection.text(of: field, of: event)
            let type = selection.schema[field.namedType]
            if type.isLeaf {
                scalars.append(name)
            } else {
                let below = selection.text(of: field.namedType)
                text += " \(below)"
                objects.append((name, type.isAbstract ? below : "{ ... on \(type.name) \(below) }"))
            }
        }
        let given = try field.arguments.filter(\.isRequired).map { argument in
            "\(argument.name): \(try #require(arguments[argument.name], "\(field.name)(\(argument.name):)"))"
        }
        self.text = "\(field.name)\(given.isEmpty ? "" : "(\(given.joined(separator: ", ")))") { \(text) }"
        self.scalars = scalars
        self.objects = objects
        isLogged = event.field(named: "cursor") != nil
        nodeID = WholeSelection.alias("\(event.name).nodeId")
    }
}

/// An object of an event as a viewer was told of it.
private struct ToldObject {
    struct Key: Hashable { let place, id: String }

    let viewer: ViewerKind
    let document: String
    /// The name in the response.
    let place: String
    let selection: String
    /// As it stands in JSON.
    let id: String
    let text: String
    /// Those of the event.
    let scalars: [String]

    var key: Key { Key(place: place, id: id) }
    var isPrivate: Bool { TypeID(String(id.dropFirst().dropLast()))?.kind.objectKind.isPrivate ?? true }
}

/// What the objects that were told of show of the schema.
private struct ToldFields {
    /// All that came, as schema coordinates.
    private(set) var fields: Set<String> = []
    /// The values of each field of an object, by the object's id.
    private var values: [String: [String: Set<Substring>]] = [:]

    init(_ told: [ToldObject]) {
        for object in told {
            for name in object.scalars + [object.place] { note(name) }
            for match in object.text.matches(of: /"([A-Z][A-Za-z]*_[A-Za-z]+)":/) { note(String(match.output.1)) }
            for (name, value) in rawMembers(object.text[...]) where name != "__typename" {
                values[Self.coordinate(name), default: [:]][object.id, default: []].insert(value)
            }
        }
    }

    private mutating func note(_ name: String) { fields.insert(Self.coordinate(name)) }

    private static func coordinate(_ name: String) -> String {
        name.split(separator: " ")[0].split(separator: "_").joined(separator: ".")
    }

    /// The fields that have one value for all viewers, whatever the object.
    var alike: [String] {
        values.filter { $0.value.values.allSatisfy { $0.count == 1 } }.map(\.key).sorted()
    }
}

private enum ViewerKind: String, CaseIterable {
    case anonymous, author, stranger
    /// Blocked Ben, who wrote something that others see.
    case blocker
    /// Ben blocked this person.
    case blocked
    /// Ben, who is in a conversation with the author.
    case member
    case moderator, suspended

    var viewer: RequestContext.Viewer? {
        switch self {
        case .anonymous: nil
        case .author: Person.ana.viewer
        case .member: Person.ben.viewer
        case .moderator: Person.mod.viewer
        case .stranger: Self.viewer(0xE1)
        case .blocker: Self.viewer(0xE2)
        case .blocked: Self.viewer(0xE3)
        case .suspended: Self.viewer(0xE4)
        }
    }

    private static func viewer(_ low: UInt64) -> RequestContext.Viewer {
        RequestContext.Viewer(userID: worldUUID(low), sessionID: worldUUID(0x100 + low))
    }
}

/// A world in which each kind of viewer sees something else.
private struct ViewerWorld {
    let live: LiveWorld
    /// Values of required arguments, by name.
    let arguments: [String: String]

    static func make() async throws -> ViewerWorld {
        let world = try await World.make()
        try await world.execute(script: people)
        try await world.execute(script: acts)
        // Addresses of images change with the hour.
        let now = Timestamp.now()
        let live = try await LiveWorld(world.with { $0.now = { now } })
        try await live.settle()
        let ids = try await world.texts(objects).map { text in
            let parts = text.split(separator: " ").map(String.init)
            let kind = try #require(TypeID.Kind(rawValue: parts[0]))
            return "\"\(TypeID(kind, try #require(UUID(parts[1]))))\""
        }
        return ViewerWorld(
            live: live,
            arguments: [
                "ids": "[\(ids.joined(separator: ", "))]", "subjectId": "\"\(worldID(.thought, 0x201))\"",
            ])
    }

    private typealias Listener = (viewer: ViewerKind, document: EventDocument, subscriber: Subscriber)

    /// Subscribes to all documents as all viewers, changes everything, and gives what they were told.
    func told(_ documents: [EventDocument]) async throws -> [ToldObject] {
        let listeners = try await subscribe(documents.filter(\.isLogged))
        try await rest(listeners)
        try await live.world.execute(script: Self.changes)
        try await live.settle()
        live.world.environment.changes.waitUntilPublished()
        try await rest(listeners)
        // These tell the present at once.
        let others = try await subscribe(documents.filter { !$0.isLogged })
        for listener in others { _ = try await listener.subscriber.take(1) }
        return try (listeners + others).flatMap { viewer, document, subscriber in
            defer { subscriber.close() }
            return try subscriber.all.flatMap { try Self.objects(of: $0.text, document, viewer) }
        }
    }

    private func subscribe(_ documents: [EventDocument]) async throws -> [Listener] {
        var listeners: [Listener] = []
        for document in documents {
            for viewer in ViewerKind.allCases {
                let subscriber = try await live.subscribe(document.text, context(of: viewer))
                if let refusal = subscriber.refusal {
                    #expect(viewer == .anonymous && refusal.code == "UNAUTHENTICATED", "\(viewer): \(refusal.text)")
                } else {
                    listeners.append((viewer, document, subscriber))
                }
            }
        }
        return listeners
    }

    private func rest(_ listeners: [Listener]) async throws {
        for listener in listeners {
            try await eventually("\(listener.viewer) has dealt with all that came") { listener.subscriber.isCaughtUp }
        }
    }

    private static func objects(
        of response: String, _ document: EventDocument, _ viewer: ViewerKind
    ) throws -> [ToldObject] {
        let data = try #require(rawMembers(response[...])["data"], "\(response)")
        let event = rawMembers(try #require(rawMembers(data).values.first))
        let scalars = document.scalars.map { "\($0) \(event[$0] ?? "")" }
        return try document.objects.compactMap { name, selection in
            let text = try #require(event[name], "\(response)")
            let own = rawMembers(text).first { $0.key.hasSuffix("_id") }?.value
            guard let id = name.hasSuffix("_node") ? event[document.nodeID] : own else { return nil }
            return ToldObject(
                viewer: viewer, document: document.text, place: name, selection: selection, id: String(id),
                text: String(text), scalars: scalars)
        }
    }

    /// What the viewer's query gives for objects, as they stand in JSON, by id.
    func ownAnswers(
        _ selection: String, _ ids: Set<String>, as viewer: ViewerKind
    ) async throws -> [String: String] {
        let ids = ids.sorted()
        let answer = try await live.world.run(
            "{ nodes(ids: [\(ids.joined(separator: ", "))]) \(selection) }", InputObject(), context(of: viewer))
        let data = try #require(rawMembers(answer[...])["data"], "\(answer)")
        let nodes = rawItems(try #require(rawMembers(data)["nodes"]))
        return Dictionary(zip(ids, nodes.map { String($0) }), uniquingKeysWith: { first, _ in first })
    }

    private func context(of viewer: ViewerKind) -> RequestContext {
        RequestContext(environment: live.world.environment, viewer: viewer.viewer)
    }

    private static let people = """
        insert into users (id, username, display_name, is_anonymous, role)
        select id::uuid, name, initcap(name), false, 'MEMBER' from (values
          ('\(worldUUID(0xE1))', 'stranger'), ('\(worldUUID(0xE2))', 'blocker'), ('\(worldUUID(0xE3))', 'blocked'),
          ('\(worldUUID(0xE4))', 'suspended')) as people (id, name);
        insert into sessions (id, user_id, family, current_hash, created_at, last_used_at, rotated_at, user_agent)
        select overlay(id::text placing '1' from 34)::uuid, id, decode(md5(id::text), 'hex'),
          sha256(convert_to(id::text, 'UTF8')), now(), now(), now(), 'tests'
        from users where id > '\(worldUUID(0xE0))';
        insert into blocks (blocker_id, blocked_id) values
          ('\(worldUUID(0xE2))', '\(worldUUID(0xB))'), ('\(worldUUID(0xB))', '\(worldUUID(0xE3))');
        insert into suspensions (user_id, until, reason) values ('\(worldUUID(0xE4))', '2099-01-01Z', 'SPAM');
        """

    private static let acts = """
        update users set avatar_id = '\(worldUUID(0x501))' where id = '\(worldUUID(0xA))';
        update thoughts set image_id = '\(worldUUID(0x501))' where author_id = '\(worldUUID(0xA))';
        update events set image_id = '\(worldUUID(0x502))' where author_id = '\(worldUUID(0xB))';
        insert into thought_likes (thought_id, user_id)
        select '\(worldUUID(0x201))', id from users where username in ('stranger', 'suspended');
        insert into thought_saves (thought_id, user_id)
        select '\(worldUUID(0x201))', id from users where username in ('blocker', 'mod');
        insert into thought_ratings (thought_id, user_id, stars)
        select '\(worldUUID(0x201))', id, 1 + get_byte(uuid_send(id), 15) % 5 from users where username <> 'ana';
        insert into event_rsvps (event_id, user_id, status)
        select '\(worldUUID(0x302))', id, case username when 'ben' then 'GOING' else 'INTERESTED' end
        from users where username in ('ben', 'stranger', 'blocked');
        insert into comments (id, author_id, thought_id, event_id, text)
        select ('019b7600-0000-7000-8000-00000000' || case when is_event then '042' else '041' end || n)::uuid, id,
          case when not is_event then '\(worldUUID(0x201))'::uuid end,
          case when is_event then '\(worldUUID(0x302))'::uuid end, 'I, too.'
        from (select id, row_number() over (order by id) n from users where username is not null) u,
          (values (false), (true)) as subjects (is_event);
        """

    /// In one transaction, so that each object is read as it stays.
    private static let changes = """
        update thoughts set text = text || '.';
        update events set name = name || '.';
        update comments set text = text || '.';
        update users set bio = 'Changed.';
        update messages set text = text || '.';
        update notifications set read_at = now() where read_at is null;
        update conversation_members set last_read_number = 1 where left_at is null;
        """

    private static let objects: SQL = """
        select kind || ' ' || id from (select 'user', id from users union all select 'thought', id from thoughts \
        union all select 'event', id from events union all select 'comment', id from comments \
        union all select 'conversation', id from conversations union all select 'message', id from messages \
        union all select 'notification', id from notifications) as objects (kind, id) order by id
        """
}
