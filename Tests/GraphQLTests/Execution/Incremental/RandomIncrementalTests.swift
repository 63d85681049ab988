import TestSupport
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

        /// nil where the operation has more @defer than a plan may.
        func parts(_ variables: [String: InputValue], _ format: IncrementalFormat?) async throws -> [String]? {
            let plan: Plan<TestContext>
            do {
                plan = try prepared.plan(for: prepared.mask(for: variables), format: format)
            } catch  where error.errors[0].message == "The operation defers too much to be planned." {
                return nil
            }
            return try await plan.parts(variables: variables, context: TestContext())
        }
    }

    private static func variables(_ mask: Int) -> [String: InputValue] {
        Dictionary(
            uniqueKeysWithValues: RandomOperation.variables.enumerated().map { ($1, .boolean(mask >> $0 & 1 == 1)) })
    }

    /// All parts together are the answer in one piece, and each field comes once. Where an error cuts a fragment off the
    /// parts still keep to the format.
    @Test(arguments: 0..<100)
    func partsAddUpToTheWhole(seed: Int) async throws {
        let random = try Case(seed: seed)
        for mask in 0..<4 {
            let variables = Self.variables(mask)
            let whole = try #require(try await random.parts(variables, nil))
            #expect(whole.count == 1)
            let expected = try IncrementalMerge(whole, .current)
            guard let parts = try await random.parts(variables, .current) else { continue }
            let merged = try IncrementalMerge(parts, .current)
            #expect(merged.violations == [], "\(random.text)")
            if merged.isCutOff || expected.errors.count >= 50 { continue }
            #expect(merged.data == expected.data, "\(random.text)")
            // Of several errors in what one of them has taken back, each way may meet another first.
            let kept = expected.errors.filter { !expected.isTakenBack($0) }
            #expect(kept.filter { !merged.errors.contains($0) } == [], "\(random.text)")
            #expect(merged.errors.filter { !expected.isTakenBack($0) }.count == kept.count, "\(random.text)")
        }
    }

    /// In the older format fragments repeat fields, and errors in one of them leave the others alone: so without errors.
    @Test(arguments: 0..<200)
    func olderPartsAddUpToTheWhole(seed: Int) async throws {
        let random = try Case(seed: seed)
        for mask in 0..<4 {
            let variables = Self.variables(mask)
            let whole = try #require(try await random.parts(variables, nil))
            let expected = try IncrementalMerge(whole, .deferSpec)
            guard let parts = try await random.parts(variables, .deferSpec) else { continue }
            if !expected.errors.isEmpty { continue }
            let merged = try IncrementalMerge(parts, .deferSpec)
            #expect(merged.violations == [], "\(random.text)")
            #expect(merged.data == expected.data, "\(random.text)")
            #expect(merged.errors == [])
        }
    }

    /// The comparisons would be worth nothing if nothing were delivered later, or every response had errors.
    @Test(arguments: [IncrementalFormat.current, .deferSpec])
    func randomResponsesComeInParts(_ format: IncrementalFormat) async throws {
        var (inParts, compared, streamed) = (0, 0, 0)
        for seed in 0..<100 {
            guard let parts = try await Case(seed: seed).parts(Self.variables(1), format), parts.count > 1 else {
                continue
            }
            inParts += 1
            let merged = try IncrementalMerge(parts, format)
            if format == .current ? !merged.isCutOff : merged.errors.isEmpty { compared += 1 }
            if parts.contains(where: { $0.contains("\"items\":") }) { streamed += 1 }
        }
        #expect(inParts > 30)
        #expect(compared > 5)
        #expect(streamed > 5)
    }
}
