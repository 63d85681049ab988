import Testing

@testable import GraphQL

@Suite struct UniqueOperationNamesTests {
    @Test func differentNamesAndFragmentsOfAnOperationsNameAreFine() throws {
        let document = """
            query getDogName { dog { name } }
            query getOwnerName { dog { owner { ...getDogName } } }
            fragment getDogName on Human { name }
            """
        #expect(try errors(UniqueOperationNames(), document) == [])
    }

    @Test func aNameMayNotComeTwice() throws {
        let document = "query getName { dog { name } }\nquery getName { dog { owner { name } } }"
        #expect(
            try errors(UniqueOperationNames(), document) == [
                "There can be only one operation named \"getName\". (1:7, 2:7)"
            ])
    }

    @Test func norInAnotherKindOfOperation() throws {
        let document = "query dogOperation { dog { name } }\nmutation dogOperation { mutateDog { id } }"
        #expect(
            try errors(UniqueOperationNames(), document) == [
                "There can be only one operation named \"dogOperation\". (1:7, 2:10)"
            ])
    }
}
