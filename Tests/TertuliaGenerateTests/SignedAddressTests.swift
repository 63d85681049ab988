import GraphQL
import Testing

@testable import TertuliaGenerate

@Suite struct SignedAddressTests {
    private static let directive = "directive @signedAddress on FIELD_DEFINITION\n"

    /// - Parameters:
    ///   - url: what follows the field of the object alone.
    ///   - cover: what follows the field of the interface, which its object has without it.
    private func generate(_ document: String, url: String = "", cover: String = "") throws -> String {
        let schema = """
            type Query { picture: Picture item: Item }
            interface Item { cover(size: Int): String! \(cover) }
            type Picture implements Item { id: ID! url: String! \(url) cover(size: Int): String! }
            """
        return try generateSwift(
            schema: [Source(Self.directive + schema)], documents: [Source(document, name: "a.graphql")]
        ).source
    }

    @Test func theSelectionKnowsWhatIsSigned() throws {
        let code = try generate("query A { picture { big: url cover(size: 2) } }", url: "@signedAddress")
        #expect(code.contains(".field(\"url\", alias: \"big\", isSignedAddress: true),\n"))
        #expect(code.contains(".field(\"cover\", arguments: [(\"size\", .int(2))]),\n"))
    }

    /// An object is read by its own field and by that of its interface: both are one field of one record.
    @Test(arguments: ["query A { item { cover } }", "query A { picture { cover } }"])
    func anInterfaceMarksTheFieldOfItsObjects(_ document: String) throws {
        let code = try generate(document, cover: "@signedAddress")
        #expect(code.contains(".field(\"cover\", isSignedAddress: true),\n"))
    }

    /// A store that was written without the directive has signed addresses: it is emptied.
    @Test func theDirectiveChangesTheVersion() throws {
        let version = { (code: String) in code.split(separator: "\n").first { $0.contains("version: ") } }
        let document = "query A { picture { cover } }"
        #expect(version(try generate(document)) != version(try generate(document, url: "@signedAddress")))
        #expect(version(try generate(document)) == version(try generate("query B { item { cover } }")))
    }

    /// The addresses of images that not everybody may see.
    @Test func thisServersSignedFieldsAreMarked() throws {
        let schema = try buildSchema(sources: Repository.sources("schema"))
        let marked = schema.types.flatMap { type in
            type.fields.filter(\.isSignedAddress).map { "\(type.name).\($0.name)" }
        }
        #expect(marked.sorted() == ["FeedItem.coverUrl", "Image.url", "Thought.coverUrl"])
    }
}
