import GraphQL
import Postgres
import Testing

@testable import App
@testable import ChangeFeed

/// What the tests of hidden changes do and hear.
struct HiddenWorld: Sendable {
    /// Of mod, whom nobody blocks: when its change has come, all before it has.
    static let marker = worldID(.thought, 0x2C1)
    static let bens = [worldID(.thought, 0x202), worldID(.event, 0x301)]
    static let anas = [worldID(.thought, 0x201), worldID(.thought, 0x203), worldID(.event, 0x302)]

    let live: LiveWorld

    static func make() async throws -> HiddenWorld {
        let live = try await LiveWorld.make()
        try await live.world.execute(
            script: """
                insert into thoughts (id, author_id, category, text, status, published_at)
                values ('\(worldUUID(0x2C1))', '\(worldUUID(0xC))', 'FUNNY', 'Marker', 'PUBLISHED', '2026-01-05Z')
                """)
        try await live.settle()
        return HiddenWorld(live: live)
    }

    func cursor() throws -> String { try #require(live.world.environment.changes.cursor).text }

    func feed(after: String? = nil, as person: Person) async throws -> Subscriber {
        let arguments = after.map { "(after: \"\($0)\")" } ?? ""
        return try await live.subscribe(
            "feedChanges\(arguments) { kind nodeId cursor node { id author { username } } }", as: person)
    }

    func comments(of subject: UInt64 = 0x201, as person: Person) async throws -> Subscriber {
        try await live.subscribe(
            "commentChanges(subjectId: \"\(worldID(.thought, subject))\") "
                + "{ kind nodeId node { id author { username } } }", as: person)
    }

    func mutate(_ field: String, as person: Person) async throws {
        let answer = try await live.world.ask("mutation { \(field) { userErrors { code } } }", as: person)
        #expect(answer.isData && answer.text.contains("\"userErrors\":[]"), "\(answer.text)")
    }

    func edit(_ thought: String, as person: Person) async throws {
        try await mutate("updateThought(input: {id: \"\(thought)\", text: \"Edited\"})", as: person)
    }

    func block(_ other: UInt64, as person: Person) async throws {
        try await mutate("blockUser(input: {userId: \"\(worldID(.user, other))\"})", as: person)
    }

    func unblock(_ other: UInt64, as person: Person) async throws {
        try await mutate("unblockUser(input: {userId: \"\(worldID(.user, other))\"})", as: person)
    }

    /// What came, as "KIND id", of subscriptions that select no node.
    static func kindsAndIDs(_ answers: [Answer], _ field: String) -> [String] {
        answers.map { "\($0.string(field, "kind") ?? $0.text) \($0.string(field, "nodeId") ?? "")" }
    }

    /// What came, as "KIND id". What is removed has no node, all else has.
    static func told(_ answers: [Answer], _ field: String = "feedChanges") -> [String] {
        answers.map { answer in
            guard let kind = answer.string(field, "kind"), let id = answer.string(field, "nodeId") else {
                return answer.code ?? answer.text
            }
            #expect((kind == "REMOVED") == (answer.string(field, "node", "id") == nil), "\(answer.text)")
            return "\(kind) \(id)"
        }
    }

    /// The same as a list.
    func list(after: String, first: Int = 50, as person: Person) async throws -> [String] {
        let answer = try await live.world.ask(
            """
            { changes(after: "\(after)", scopes: [{feed: {}}], first: \(first)) { nodes { kind nodeId node { id } } } }
            """, as: person)
        guard case .list(let nodes) = answer["changes", "nodes"] else { return [answer.code ?? answer.text] }
        return nodes.map { node in
            guard case .object(let node) = node, case .string(let kind) = node["kind"],
                case .string(let id) = node["nodeId"]
            else { return "?" }
            return "\(kind) \(id)"
        }
    }
}

extension [String] {
    /// Each as "KIND id".
    func all(_ kind: String) -> [String] { map { "\(kind) \($0)" } }
}
