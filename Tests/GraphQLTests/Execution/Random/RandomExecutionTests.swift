import TestSupport
import Testing

@testable import GraphQL

@Suite struct RandomExecutionTests {
    /// The executor and the specification agree on data, nulls, and errors with their order, paths and locations.
    @Test(arguments: 0..<60)
    func executesAsTheSpecificationSays(seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let random = RandomSchema(using: &generator)
        let schema = try random.executable()
        let text = RandomOperation(random, using: &generator).text
        let document = try parse(Source(text))
        let prepared = try PreparedOperation(document, operationName: nil, schema: schema)
        for mask in 0..<8 {
            let truths = RandomOperation.variables.enumerated().map { ($1, mask >> $0 & 1 == 1) }
            var reference = ReferenceExecutor(
                schema: schema.schema, random: random, document: document,
                variables: Dictionary(uniqueKeysWithValues: truths))
            let data = reference.executeQuery()
            let variables = Dictionary(uniqueKeysWithValues: truths.map { ($0, InputValue.boolean($1)) })
            let response = try await execute(
                prepared.plan(for: prepared.mask(for: variables)), variables: variables, context: TestContext())
            let expected = Array(reference.errors.prefix(50))
            var json = JSONWriter()
            json.append("{\"data\":")
            json.append(Array(data.utf8))
            if !expected.isEmpty {
                json.append(",\"errors\":")
                json.write(expected)
            }
            json.append("}")
            let body = String(decoding: response.body, as: UTF8.self)
            #expect(body == String(decoding: json.bytes, as: UTF8.self), "\(text)\n\(random.sdl)")
            #expect(response.errors == expected)
            #expect(response.hasData == (data != "null"))
        }
    }

    /// The comparison would be worth nothing if random documents had no errors or no data.
    @Test func randomDocumentsHaveErrorsNullsAndData() async throws {
        var errors = 0
        var bytes = 0
        for seed in 0..<50 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let random = RandomSchema(using: &generator)
            let text = RandomOperation(random, using: &generator).text
            let prepared = try PreparedOperation(parse(Source(text)), operationName: nil, schema: random.executable())
            let response = try await execute(
                prepared.plan(for: prepared.mask(for: [:])), variables: [:], context: TestContext())
            errors += response.errors.isEmpty ? 0 : 1
            bytes += response.body.count
        }
        #expect(errors > 10)
        #expect(bytes > 10_000)
    }
}
