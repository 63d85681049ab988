import Cryptography
import GraphQL

/// The arguments of a connection over an array.
/// Source: GraphQL Cursor Connections Specification, section 4
struct ArrayPage {
    let first: Int?
    let last: Int?
    let after: Int?
    let before: Int?

    init(_ arguments: InputObject) throws {
        first = try Self.count("first", arguments)
        last = try Self.count("last", arguments)
        after = try arguments.decode(String?.self, "after").flatMap(Self.offset)
        before = try arguments.decode(String?.self, "before").flatMap(Self.offset)
    }

    private static func count(_ name: String, _ arguments: InputObject) throws -> Int? {
        let count: Int? = try arguments.decode(name)
        guard let count, count < 0 else { return count }
        throw ExecutionError("Argument \"\(name)\" must be a non-negative integer", code: .badUserInput)
    }

    /// ApplyCursorsToEdges, EdgesToReturn, HasPreviousPage, HasNextPage
    func window(of array: Range<Int>) -> (offsets: Range<Int>, pageInfo: PageInfo) {
        let start = after.flatMap { array.contains($0) ? $0 + 1 : nil } ?? array.lowerBound
        let end = max(start, before.flatMap { array.contains($0) ? $0 : nil } ?? array.upperBound)
        var offsets = start..<end
        if let first { offsets = offsets.prefix(first) }
        if let last { offsets = offsets.suffix(last) }
        let pageInfo = PageInfo(
            hasNextPage: first != nil && offsets.upperBound < end,
            hasPreviousPage: last != nil && offsets.lowerBound > start,
            startCursor: offsets.first.map(Self.cursor), endCursor: offsets.last.map(Self.cursor))
        return (offsets, pageInfo)
    }

    /// The cursor of an offset, opaque to clients.
    static func cursor(_ offset: Int) -> String { Base64.url.encode(Array("arrayconnection:\(offset)".utf8)) }

    /// nil for a text that is no cursor. The page then has no such bound.
    private static func offset(_ cursor: String) -> Int? {
        guard let bytes = Base64.url.decode(cursor) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.hasPrefix("arrayconnection:") ? Int(text.dropFirst("arrayconnection:".count)) : nil
    }
}

struct PageInfo: ObjectValue {
    let hasNextPage: Bool
    let hasPreviousPage: Bool
    let startCursor: String?
    let endCursor: String?
}

struct UserConnection: ObjectValue {
    let edges: [UserEdge]
    let pageInfo: PageInfo
    let totalCount: Int

    init(_ page: ArrayPage, of users: [User]) {
        let (offsets, pageInfo) = page.window(of: users.indices)
        edges = offsets.map { UserEdge(cursor: ArrayPage.cursor($0), node: users[$0]) }
        self.pageInfo = pageInfo
        totalCount = users.count
    }
}

struct UserEdge: ObjectValue {
    let cursor: String
    let node: User
}
