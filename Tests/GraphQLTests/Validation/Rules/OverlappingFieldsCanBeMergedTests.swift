import Testing

@testable import GraphQL

@Suite struct OverlappingFieldsCanBeMergedTests {
    private static let advice = "Use different aliases on the fields to fetch both if this was intentional."

    @Test(arguments: [
        "fragment mergeIdenticalFields on Dog { name name }",
        "fragment mergeIdenticalAliasesAndFields on Dog { otherName: name otherName: name }",
        "fragment f on Dog { doesKnowCommand(dogCommand: SIT) doesKnowCommand(dogCommand: SIT) }",
        "fragment f on Dog { doesKnowCommand(dogCommand: $dogCommand) doesKnowCommand(dogCommand: $dogCommand) }",
        "fragment f on Arguments { multipleRequirements(x: 1, y: 2) multipleRequirements(y: 2, x: 1) }",
        "{ findDog(searchBy: {name: \"a\", owner: \"b\"}) { name } findDog(searchBy: {owner: \"b\", "
            + "name: \"a\"}) { name } }",
        "fragment safeDifferingFields on Pet { ... on Dog { volume: barkVolume } ... on Cat { volume: meowVolume } }",
        """
        fragment safeDifferingArgs on Pet {
          ... on Dog { doesKnowCommand(dogCommand: SIT) }
          ... on Cat { doesKnowCommand(catCommand: JUMP) }
        }
        """,
        "{ dog { owner { name } } dog { owner { pets { name } } ...F } } fragment F on Dog { owner "
            + "{ name ...G } } fragment G on Human { name }",
    ])
    func mergeable(document: String) throws {
        #expect(try errors(OverlappingFieldsCanBeMerged(), document) == [])
    }

    @Test(arguments: [
        "{ dog { ... { a: name a: nickname } } }", "{ dog { ... on Dog { ... { a: name a: nickname } } } }",
        "{ ... { dog { a: name ... { a: nickname } } } }",
    ])
    func aConflictInsideInlineFragmentsIsReportedOnce(document: String) throws {
        let found = try errors(OverlappingFieldsCanBeMerged(), document)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("Fields \"a\" conflict because \"name\" and \"nickname\"") == true)
    }

    @Test func oneNameForTwoFields() throws {
        #expect(
            try errors(OverlappingFieldsCanBeMerged(), "fragment f on Dog { name: nickname name }") == [
                "Fields \"name\" conflict because \"nickname\" and \"name\" are different fields. "
                    + "\(Self.advice) (1:21, 1:36)"
            ])
    }

    @Test(arguments: [
        ("(dogCommand: SIT)", "(dogCommand: HEEL)"), ("(dogCommand: SIT)", "(dogCommand: $dogCommand)"),
        ("(dogCommand: $varOne)", "(dogCommand: $varTwo)"), ("(dogCommand: SIT)", ""),
    ])
    func differingArguments(first: String, second: String) throws {
        let document = "fragment f on Dog { doesKnowCommand\(first)\ndoesKnowCommand\(second) }"
        #expect(
            try errors(OverlappingFieldsCanBeMerged(), document) == [
                "Fields \"doesKnowCommand\" conflict because they have differing arguments. \(Self.advice) (1:21, 2:1)"
            ])
    }

    @Test func differingStreams() throws {
        let conflict = "Fields \"pets\" conflict because they have differing stream directives. \(Self.advice)"
        for (first, second) in [
            ("@stream", ""), ("", "@stream"), ("@stream(initialCount: 1)", "@stream(initialCount: 2)"),
            ("@stream(label: \"a\")", "@stream(label: \"b\")"),
        ] {
            let document = "{ human { pets \(first) { name }\npets \(second) { name } } }"
            #expect(try errors(OverlappingFieldsCanBeMerged(), document) == ["\(conflict) (1:11, 2:1)"])
        }
        let same = "{ human { pets @stream(initialCount: 1) { name } pets @stream(initialCount: 1) { name } } }"
        #expect(try errors(OverlappingFieldsCanBeMerged(), same) == [])
    }

    @Test func differingShapesEvenWhereTheFieldsNeverMeet() throws {
        let document = "fragment f on Pet { ... on Dog { someValue: nickname }\n... on Cat { someValue: meowVolume } }"
        #expect(
            try errors(OverlappingFieldsCanBeMerged(), document) == [
                "Fields \"someValue\" conflict because they return conflicting types \"String\" and \"Int\". "
                    + "\(Self.advice) (1:34, 2:14)"
            ])
    }

    @Test func conflictsDeepWithinFragmentsAreFoundOnce() throws {
        let document = """
            { dog { owner { x: name } } ...A ...A }
            fragment A on Query { dog { ...B } }
            fragment B on Dog { owner { x: pets { name } } }
            """
        #expect(
            try errors(OverlappingFieldsCanBeMerged(), document) == [
                "Fields \"dog\" conflict because subfields \"owner\" conflict because subfields \"x\" conflict because "
                    + "\"name\" and \"pets\" are different fields. \(Self.advice) (1:3, 1:9, 1:17, 2:23, 3:21, 3:29)"
            ])
    }

    /// Each of the two selection sets finds the conflict with what it spreads.
    @Test func fragmentsThatSpreadEachOtherEnd() throws {
        let document = "{ dog { ...A } } fragment A on Dog { x: name ...B } fragment B on Dog { x: nickname ...A }"
        #expect(try errors(OverlappingFieldsCanBeMerged(), document).count == 2)
    }

    @Test func theSearchIsBounded() throws {
        let repeats = (0..<200).map { "f\($0): name " }.joined()
        let document = "{ " + (0..<60).map { _ in "dog { \(repeats) } " }.joined() + "}"
        let found = validate(try parse(Source(document)), against: try PetSchema.schema.get())
        #expect(found.count == 1)
        #expect(found[0].extensions["code"] == .string("QUERY_TOO_COMPLEX"))
        #expect(found[0].extensions["limit"] == .string("fieldComparisons"))
        #expect(found[0].extensions["maximum"] == .int(10_000))
        #expect(found[0].extensions["actual"] == .int(10_001))
        #expect(
            validate(
                try parse(Source(document)), against: try PetSchema.schema.get(),
                options: ValidationOptions(maximumFieldComparisons: 20_000)) == [])
    }
}
