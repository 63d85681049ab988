import Testing

@testable import GraphQL

@Suite struct VariablesAreInputTypesTests {
    @Test(arguments: ["Boolean", "FindDogInput", "[Boolean!]", "DogCommand", "Unknown"])
    func inputTypes(type: String) throws {
        #expect(try errors(VariablesAreInputTypes(), "query ($a: \(type)) { dog { name } }") == [])
    }

    @Test(arguments: ["Cat", "Dog!", "[Pet]", "CatOrDog"])
    func outputTypes(type: String) throws {
        #expect(
            try errors(VariablesAreInputTypes(), "query ($a: \(type)) { dog { name } }") == [
                "Variable \"$a\" cannot be non-input type \"\(type)\". (1:12)"
            ])
    }
}
