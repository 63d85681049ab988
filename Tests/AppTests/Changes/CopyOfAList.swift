import GraphQL

@testable import App

/// A list that a client follows: the query that reads it, and the subscription that says how it changes.
struct FollowedList: Sendable, CustomStringConvertible {
    let person: Person
    /// The subscription's field, and its arguments.
    let field: String
    let arguments: String
    /// The list as a scope of `changes`.
    let scope: String
    /// The selection of each object.
    let selection: String
    /// The whole query, in which each object is selected as the subscription does.
    let query: String

    var description: String { "\(person) \(field) \(arguments.prefix(60))" }

    var subscription: String {
        "\(field)\(arguments.isEmpty ? "" : "(\(arguments))") { kind nodeId node { \(selection) } }"
    }

    var changes: String {
        """
        query ($after: String!) { changes(after: $after, scopes: [{\(scope)}], first: 100) { \
        nodes { kind nodeId node { \(selection) } } pageInfo { hasNextPage endCursor } } }
        """
    }

    static func feed(_ filter: String, as person: Person, personal: Bool = false) -> FollowedList {
        let thought = "... on Thought { id text category \(personal ? "viewerHasLiked" : "") }"
        let selection = thought + " ... on Event { id name startsAt }"
        return FollowedList(
            person: person, field: "feedChanges", arguments: "filter: {\(filter)}", scope: "feed: {\(filter)}",
            selection: selection, query: "feed(first: 100, filter: {\(filter)}) { nodes { \(selection) } }")
    }

    static func events(_ filter: String, as person: Person) -> FollowedList {
        let selection = "... on Event { id name startsAt }"
        return FollowedList(
            person: person, field: "eventChanges", arguments: "filter: {\(filter)}", scope: "events: {\(filter)}",
            selection: selection, query: "events(first: 100, filter: {\(filter)}) { nodes { \(selection) } }")
    }

    static func nodes(_ ids: [String], as person: Person) -> FollowedList {
        let list = "[\(ids.map { "\"\($0)\"" }.joined(separator: ", "))]"
        let selection = """
            id ... on Thought { text category } ... on Event { name startsAt } ... on Comment { text } \
            ... on Message { text }
            """
        return FollowedList(
            person: person, field: "nodeChanges", arguments: "ids: \(list)", scope: "nodeIds: \(list)",
            selection: selection, query: "nodes(ids: \(list)) { \(selection) }")
    }

    static func comments(of subject: String, as person: Person) -> FollowedList {
        let selection = "... on Comment { id text }"
        return FollowedList(
            person: person, field: "commentChanges", arguments: "subjectId: \"\(subject)\"",
            scope: "commentsOf: \"\(subject)\"", selection: selection,
            query: """
                node(id: "\(subject)") { \
                ... on Thought { comments(first: 100) { nodes { \(selection) } } } \
                ... on Event { comments(first: 100) { nodes { \(selection) } } } }
                """)
    }

    static func messages(as person: Person) -> FollowedList {
        let selection = "... on Message { id text }"
        return FollowedList(
            person: person, field: "messageChanges", arguments: "", scope: "mailbox: MESSAGES", selection: selection,
            query: """
                viewer { conversations(first: 100) { nodes { messages(first: 100) { nodes { \(selection) } } } } }
                """)
    }

    static func conversations(as person: Person) -> FollowedList {
        let selection = "... on Conversation { id }"
        return FollowedList(
            person: person, field: "conversationChanges", arguments: "", scope: "mailbox: CONVERSATIONS",
            selection: selection, query: "viewer { conversations(first: 100) { nodes { \(selection) } } }")
    }
}

/// The objects that a client has of a list, each as it was last read.
struct CopyOfAList: Equatable, CustomStringConvertible {
    private var objects: [String: String] = [:]

    /// The objects of a query's answer: those values that have an id.
    init(_ answer: InputValue?) { collect(answer) }

    private mutating func collect(_ value: InputValue?) {
        switch value {
        case .list(let values): for value in values { collect(value) }
        case .object(let object):
            if case .string(let id) = object["id"] {
                objects[id] = "\(object)"
            } else {
                for field in object.fields { collect(field.value) }
            }
        default: break
        }
    }

    /// Takes an event, an object with `kind`, `nodeId` and `node`.
    /// - Returns: false for an answer that is no event.
    mutating func take(_ event: InputValue?) -> Bool {
        guard case .object(let event) = event, case .string(let kind) = event["kind"],
            case .string(let id) = event["nodeId"]
        else { return false }
        if case .object(let node) = event["node"] {
            objects[id] = "\(node)"
            return kind != "REMOVED"
        }
        objects[id] = nil
        return kind == "REMOVED"
    }

    var description: String { objects.sorted { $0.key < $1.key }.map(\.value).joined(separator: "\n") }

    /// The differences from another copy.
    func differences(from other: CopyOfAList) -> String {
        let ids = Set(objects.keys).union(other.objects.keys).filter { objects[$0] != other.objects[$0] }
        return ids.sorted().map { "\(objects[$0] ?? "no \($0)") instead of \(other.objects[$0] ?? "none")" }
            .joined(separator: "; ")
    }
}
