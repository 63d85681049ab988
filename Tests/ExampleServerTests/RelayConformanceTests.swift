import Foundation
import GraphQL
import Testing

@testable import example_server

/// The recorded pages of arrays: those that say a whole array and the arguments of a connection. What they say of a
/// slice that was cut before, of the position of a member, and of the library's own type builders has nothing here to
/// compare.
@Suite(.enabled(if: RecordedPages.file != nil))
struct RelayConformanceTests {
    @Test func everyPageOfAnArrayIsCutAlike() throws {
        let pages = try RecordedPages.read()
        for page in pages { #expect(try page.actual() == page.expected, "\(page.test)") }
        #expect(!pages.isEmpty)
        print("relay-cases.json: \(pages.count) / \(pages.count)")
    }
}

private struct RecordedPages {
    let test: String
    let count: Int
    let arguments: InputObject
    let expected: InputValue

    /// No part of the package: `TERTULIA_CONFORMANCE`, or `../shared/conformance`.
    static let file: URL? = {
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let folder =
            ProcessInfo.processInfo.environment["TERTULIA_CONFORMANCE"].map { URL(fileURLWithPath: $0) }
            ?? root.deletingLastPathComponent().appendingPathComponent("shared/conformance")
        let file = folder.appendingPathComponent("relay-cases.json")
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }()

    static func read() throws -> [RecordedPages] {
        let bytes = try [UInt8](Data(contentsOf: #require(file)))
        guard case .list(let cases) = try parseJSON(bytes) else { return [] }
        return cases.compactMap(RecordedPages.init)
    }

    private init?(_ recorded: InputValue) {
        guard case .object(let recorded) = recorded, recorded["fn"] == .string("connectionFromArray"),
            case .string(let test)? = recorded["test"], case .list(let parameters)? = recorded["args"],
            case .list(let array) = parameters[0], case .object(let arguments) = parameters[1],
            case .object(let result)? = recorded["result"], case .object(let pageInfo)? = result["pageInfo"],
            case .list(let edges)? = result["edges"]
        else { return nil }
        self.test = test
        count = array.count
        self.arguments = InputObject(arguments.fields.map { ($0.name, Self.unpadded($0.value)) })
        let offsets = edges.compactMap { edge -> InputValue? in
            guard case .object(let edge) = edge, let node = edge["node"] else { return nil }
            return array.firstIndex(of: node).map { .int($0) }
        }
        expected = Self.page(
            offsets, InputObject(pageInfo.fields.map { ($0.name, Self.unpadded($0.value)) }))
    }

    func actual() throws -> InputValue {
        let (offsets, pageInfo) = try ArrayPage(arguments).window(of: 0..<count)
        return Self.page(
            offsets.map { .int($0) },
            InputObject([
                ("startCursor", pageInfo.startCursor.map { .string($0) } ?? .null),
                ("endCursor", pageInfo.endCursor.map { .string($0) } ?? .null),
                ("hasPreviousPage", .boolean(pageInfo.hasPreviousPage)),
                ("hasNextPage", .boolean(pageInfo.hasNextPage)),
            ]))
    }

    private static func page(_ offsets: [InputValue], _ pageInfo: InputObject) -> InputValue {
        .object(InputObject([("offsets", .list(offsets)), ("pageInfo", .object(pageInfo))]))
    }

    /// Cursors are the same text in base 64, recorded with padding.
    private static func unpadded(_ value: InputValue) -> InputValue {
        guard case .string(let text) = value else { return value }
        return .string(String(text.prefix { $0 != "=" }))
    }
}
