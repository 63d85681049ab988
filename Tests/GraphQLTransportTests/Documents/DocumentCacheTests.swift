import GraphQL
import Testing

@testable import GraphQLTransport

struct DocumentCacheTests {
    private let schema: ExecutableSchema<TestContext>

    init() throws { schema = try TestSchema.make() }

    private func prepare(_ text: String) throws(RequestError) -> CachedDocument<TestContext> {
        let document: Document
        do { document = try parse(Source(text)) } catch { throw RequestError([error]) }
        return CachedDocument(try ValidatedDocument(document, against: schema.schema), text: text, schema: schema)
    }

    @Test func preparesADocumentOnce() throws {
        let cache = DocumentCache<TestContext>(count: 100, bytes: 1_000_000)
        let first = try cache.document(for: "{ hello }", prepare: prepare)
        let second = try cache.document(for: "{ hello }", prepare: prepare)
        #expect(first === second)
        let other = try cache.document(for: "{ hello  }", prepare: prepare)
        #expect(other !== first)
        #expect((cache.hits.current, cache.misses.current) == (1, 2))
    }

    @Test func tellsTextsApartThatAreEqualAsUnicode() throws {
        let cache = DocumentCache<TestContext>(count: 100, bytes: 1_000_000)
        let composed = try cache.document(for: "{ hello(name: \"\u{E9}\") }", prepare: prepare)
        let decomposed = try cache.document(for: "{ hello(name: \"e\u{301}\") }", prepare: prepare)
        #expect(composed !== decomposed)
    }

    @Test func keepsNothingThatFails() {
        let cache = DocumentCache<TestContext>(count: 100, bytes: 1_000_000)
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
    }

    /// A text of 40 bytes and all that is made of it take kilobytes.
    @Test func staysWithinTheMemoryThatItsDocumentsHold() throws {
        let small = DocumentCache<TestContext>(count: 10_000, bytes: 100_000, shards: 1)
        for number in 0..<1_000 {
            let document = try small.document(for: "{ a\(number): hello }", prepare: prepare)
            #expect(document.heapSize.bytes > 1_000)
            #expect(small.size <= 100_000)
        }
        #expect(small.count > 5)
    }

    @Test func countsPlansAsTheyAreMade() throws {
        let cache = DocumentCache<TestContext>(count: 10_000, bytes: 100_000, shards: 1)
        let conditions = (0..<4).map { "$c\($0): Boolean!" }.joined(separator: " ")
        let fields = (0..<40).map { "a\($0): hello @include(if: $c\($0 % 4))" }.joined(separator: " ")
        let document = try cache.document(for: "query(\(conditions)) { \(fields) }", prepare: prepare)
        let operation = try document.operation(named: nil)
        let before = (document.heapSize.bytes, cache.size)
        #expect(before.0 == before.1)
        for bits in 0..<16 {
            let values = (0..<4).map { (key: "c\($0)", value: InputValue.boolean(bits >> $0 & 1 == 1)) }
            _ = try operation.plan(for: Dictionary(uniqueKeysWithValues: values), format: nil)
            #expect(cache.size <= 100_000)
        }
        // Its plans alone are larger than the cache, which therefore lets go of it.
        #expect(document.heapSize.bytes > 150_000)
        #expect(cache.count == 0)
    }

    @Test func countsTheOperationsThatAreAskedFor() throws {
        let cache = DocumentCache<TestContext>(count: 100, bytes: 1_000_000, shards: 1)
        let text = (0..<20).map { "query Q\($0) { hello }" }.joined(separator: " ")
        let document = try cache.document(for: text, prepare: prepare)
        let before = cache.size
        for number in 0..<20 { _ = try document.operation(named: "Q\(number)").plan(for: [:], format: nil) }
        #expect(cache.size > before + 20 * 1_000)
        #expect(cache.size == document.heapSize.bytes)
    }

    @Test func countsNoGrowthOfADocumentThatItDoesNotHave() throws {
        let cache = DocumentCache<TestContext>(count: 100, bytes: 1_000_000, shards: 1)
        var first: CachedDocument<TestContext>?
        // Two threads that prepare one text at the same time.
        let second = try cache.document(for: "{ hello }") { text throws(RequestError) in
            first = try cache.document(for: text, prepare: prepare)
            return try prepare(text)
        }
        let replaced = try #require(first)
        #expect(replaced !== second)
        let before = cache.size
        replaced.heapSize.grow(by: 1_000)
        #expect(cache.size == before)
        second.heapSize.grow(by: 10)
        #expect(cache.size == before + 10)
        #expect(cache.size == second.heapSize.bytes)
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
