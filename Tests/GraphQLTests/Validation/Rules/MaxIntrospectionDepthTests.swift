import Testing

@testable import GraphQL

@Suite struct MaxIntrospectionDepthTests {
    private func document(_ lists: Int) -> String {
        "{ __schema { types { " + String(repeating: "fields { type { ", count: lists) + "name"
            + String(repeating: " } }", count: lists) + " } } }"
    }

    @Test func twoListsWithinEachOther() throws {
        #expect(try errors(MaxIntrospectionDepth(), document(2)) == [])
    }

    @Test func three() throws {
        #expect(try errors(MaxIntrospectionDepth(), document(3)) == ["Maximum introspection depth exceeded (1:3)"])
    }

    @Test func throughFragmentsThatSpreadThemselves() throws {
        let cyclic = "{ __schema { types { ...F } } } fragment F on __Type { fields { type { ...F } } }"
        #expect(try errors(MaxIntrospectionDepth(), cyclic) == [])
        let chained = """
            { __schema { types { ...A } } }
            fragment A on __Type { interfaces { ...B } }
            fragment B on __Type { possibleTypes { ...C } }
            fragment C on __Type { inputFields { name } }
            """
        #expect(try errors(MaxIntrospectionDepth(), chained) == ["Maximum introspection depth exceeded (1:3)"])
    }
}
