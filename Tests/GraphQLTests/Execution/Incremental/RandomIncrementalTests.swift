import Testing

@testable import GraphQL

@Suite struct RandomIncrementalTests {
    private struct Case {
        let text: String
        let prepared: PreparedOperation<TestContext>

        init(seed: Int) throws {
            var generator = SeededGenerator(seed: UInt64(seed))
            let random = RandomSchema(using: &generator)
            text = RandomOperation(random, isIncremental: true, using: &generator).text
            prepared = try PreparedOperation(
                parse(Source(text)), operationName: nil, schema: random.executable())
        }

        func parts(_ variables: [String: InputValue], _ format: IncrementalFormat?) async throws -> [String] {
            try await prepared.plan(for: prepared.mask(for: variables), format: format)
                .parts(variables: variables, context: TestContext())
        }
    }

    private static func variables(_ mask: Int) -> [String: InputValue] {
        Dictionary(
            uniqueKeysWithValues: RandomOperation.variables.enumerated().map { ($1, .boolean(mask >> $0 & 1 == 1)) })
    }

    /// All parts together are the answer in one piece, and each field comes once; where an error cuts a fragment off,
    /// the parts still keep to the format.
    @Test(arguments: 0..<80, [IncrementalFormat.current, .deferSpec20220824])
    func partsAddUpToTheWhole(seed: Int, format: IncrementalFormat) async throws {
        let random = try Case(seed: seed)
        for mask in 0..<4 {
            let variables = Self.variables(mask)
            let whole = try await random.parts(variables, nil)
            #expect(whole.count == 1)
            let expected = try IncrementalMerge(whole, format)
            let merged = try IncrementalMerge(try await random.parts(variables, format), format)
            #expect(merged.violations == [], "\(random.text)")
            if merged.isCutOff || expected.errors.count >= 40 { continue }
            #expect(merged.data == expected.data, "\(random.text)")
            let known = Set(expected.errors.map { "\($0)" })
            let found = Set(merged.errors.map { "\($0)" })
            #expect(known == found, "\(random.text)")
            if format == .current { #expect(merged.errors.count == expected.errors.count) }
        }
    }

    /// The comparison would be worth nothing if nothing were delivered later, or every response cut off.
    @Test func randomResponsesComeInParts() async throws {
        var (inParts, whole, streamed) = (0, 0, 0)
        for seed in 0..<80 {
            let parts = try await Case(seed: seed).parts(Self.variables(1), .current)
            if parts.count == 1 { continue }
            inParts += 1
            if try !IncrementalMerge(parts, .current).isCutOff { whole += 1 }
            if parts.contains(where: { $0.contains("\"items\":") }) { streamed += 1 }
        }
        #expect(inParts > 30)
        #expect(whole > 10)
        #expect(streamed > 5)
    }
}
