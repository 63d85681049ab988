import GraphQL
import Testing

@testable import GraphQLTransport

struct DocumentCacheTests {
    private let schema: ExecutableSchema<TestContext>

    init() throws { schema = try TestSchema.make() }

    private func prepare(_ text: String) throws(RequestError) -> CachedDocument<TestContext> {
        do { return CachedDocument(try parse(Source(text)), text: text, schema: schema) } catch {
            throw RequestError([error])
        }
    }

    @Test func preparesADocumentOnce() throws {
        let cache = DocumentCache<TestContext>(count: 100, bytes: 10_000)
        let first = try cache.document(for: "{ hello }", prepare: prepare)
        let second = try cache.document(for: "{ hello }", prepare: prepare)
        #expect(first === second)
        let other = try cache.document(for: "{ hello  }", prepare: prepare)
        #expect(other !== first)
        #expect((cache.hits.current, cache.misses.current) == (1, 2))
    }

    @Test func tellsTextsApartThatAreEqualAsUnicode() throws {
        let cache = DocumentCache<TestContext>(count: 100, bytes: 10_000)
        let composed = try cache.document(for: "{ hello(name: \"\u{E9}\") }", prepare: prepare)
        let decomposed = try cache.document(for: "{ hello(name: \"e\u{301}\") }", prepare: prepare)
        #expect(composed !== decomposed)
    }

    @Test func keepsNothingThatFails() {
        let cache = DocumentCache<TestContext>(count: 100, bytes: 10_000)
        for _ in 0..<2 {
            #expect(throws: RequestError.self) { try cache.document(for: "{", prepare: prepare) }
        }
        #expect(cache.count == 0)
        #expect(cache.misses.current == 2)
    }

    @Test func staysWithinItsBounds() throws {
        let cache = DocumentCache<TestContext>(count: 20, bytes: 1_000_000, shards: 2)
        for number in 0..<1_000 { _ = try cache.document(for: "{ a\(number): hello }", prepare: prepare) }
        #expect(cache.count <= 20)
        let small = DocumentCache<TestContext>(count: 10_000, bytes: 400, shards: 1)
        for number in 0..<1_000 { _ = try small.document(for: "{ a\(number): hello }", prepare: prepare) }
        #expect(small.size <= 400)
        #expect(small.count > 5)
    }

    @Test func keepsWhatIsUsed() throws {
        let cache = DocumentCache<TestContext>(count: 20, bytes: 1_000_000, shards: 1)
        let used = try cache.document(for: "{ hello }", prepare: prepare)
        for number in 0..<200 {
            _ = try cache.document(for: "{ a\(number): hello }", prepare: prepare)
            let again = try cache.document(for: "{ hello }", prepare: prepare)
            #expect(again === used)
        }
    }

    @Test func preparesAnOperationOnce() throws {
        let document = try prepare("query A($x: Boolean!) { hello @include(if: $x) } query B { viewer }")
        let (first, second) = (try document.operation(named: "A"), try document.operation(named: "A"))
        #expect(first === second)
        #expect(throws: RequestError.self) { try document.operation(named: nil) }
        #expect(throws: RequestError.self) { try document.operation(named: "C") }
        #expect(try document.operation(named: "B").summary.name == "B")
    }
}
