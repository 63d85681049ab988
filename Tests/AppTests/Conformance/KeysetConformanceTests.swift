import GraphQL
import Postgres
import Testing

import struct Foundation.Data

@testable import App

/// The recorded pages of arrays, cut by key instead of by offset.
///
/// Six do not fit: their cursors are none, or lie outside the array, and such a list ignores them; ours refuses them. What
/// is on the other side of a page is told by an array only where the client asks for both ends; a keyset list says that
/// there is something before `after` and behind `before`, as the specification lets it.
@Suite(.enabled(if: RecordedCases.exist("relay-cases.json")))
struct KeysetConformanceTests {
    @Test func everyPageHoldsTheSameItems() throws {
        let pages = try RecordedCases.read("relay-cases.json").compactMap(RecordedPage.init)
        for page in pages {
            let connection = try page.read()
            #expect(connection.nodes.map(\.offset) == page.offsets, "\(page.test)")
            if page.isBackward {
                #expect(connection.hasPreviousPage == page.hasPreviousPage, "\(page.test)")
                #expect(connection.hasNextPage == (page.hasNextPage || page.hasBefore), "\(page.test)")
            } else {
                #expect(connection.hasNextPage == page.hasNextPage, "\(page.test)")
                #expect(connection.hasPreviousPage == (page.hasPreviousPage || page.hasAfter), "\(page.test)")
            }
        }
        #expect(pages.count == 25)
    }
}

private struct Item: ListItem, ObjectValue {
    let offset: Int
    var sortID: UUID { UUID(high: 0, low: UInt64(offset)) }

    func sortKey(in order: Cursor.Order) -> Int64 { Int64(offset) }
}

private struct RecordedPage {
    let test: String
    let offsets: [Int]
    let hasNextPage: Bool
    let hasPreviousPage: Bool
    private let items: [Item]
    private let arguments: InputObject

    var isBackward: Bool { arguments["last"] != nil }
    var hasAfter: Bool { arguments["after"] != nil }
    var hasBefore: Bool { arguments["before"] != nil }

    /// nil for what is no page of an array by cursors of it.
    init?(_ recorded: InputObject) {
        guard recorded["fn"] == .string("connectionFromArray"), case .string(let test)? = recorded["test"],
            case .list(let parameters)? = recorded["args"], case .list(let array) = parameters[0],
            case .object(let arguments) = parameters[1], case .object(let result)? = recorded["result"],
            case .object(let pageInfo)? = result["pageInfo"], case .list(let edges)? = result["edges"]
        else { return nil }
        self.test = test
        items = array.indices.map(Item.init)
        hasNextPage = pageInfo["hasNextPage"] == .boolean(true)
        hasPreviousPage = pageInfo["hasPreviousPage"] == .boolean(true)
        offsets = edges.compactMap { edge in
            guard case .object(let edge) = edge, let node = edge["node"] else { return nil }
            return array.firstIndex(of: node)
        }
        var ours: [(name: String, value: InputValue)] = []
        for (name, value) in arguments.fields {
            guard case .string(let cursor) = value else {
                ours.append((name, value))
                continue
            }
            guard let offset = Self.offset(cursor), items.indices.contains(offset) else { return nil }
            ours.append((name, .string(Self.cursor(offset))))
        }
        self.arguments = InputObject(ours)
    }

    /// What a list's statement reads: the rows between the bounds, from one end, one more than asked for.
    func read() throws -> App.ListPage<Item> {
        let page = try Page(arguments, order: .oldest)
        let bounds = page.bounds(isDescending: false)
        let between = items.filter { item in
            let key = (item.sortKey(in: .oldest), item.sortID)
            return bounds.lower < key && key < bounds.upper
        }
        return page.list(Array((page.isBackward ? between.reversed() : between).prefix(Int(page.limit))))
    }

    /// The recorded cursors say the offset in base 64.
    private static func offset(_ cursor: String) -> Int? {
        guard let bytes = Data(base64Encoded: cursor), let text = String(bytes: bytes, encoding: .utf8),
            text.hasPrefix("arrayconnection:")
        else { return nil }
        return Int(text.dropFirst("arrayconnection:".count))
    }

    private static func cursor(_ offset: Int) -> String {
        var json = JSONWriter()
        Cursor(order: .oldest, key: Int64(offset), id: UUID(high: 0, low: UInt64(offset))).write(to: &json)
        return String(String(decoding: json.bytes, as: UTF8.self).dropFirst().dropLast())
    }
}
