import Testing

@testable import GraphQL

@Suite struct VariablesInAllowedPositionTests {
    @Test(arguments: [
        "query q($l: [Boolean]!) { arguments { booleanListArgField(booleanListArg: $l) } }",
        "mutation addCat($cat: CatInput!) { addPet(pet: {cat: $cat}) { name } }",
        "mutation addCatWithDefault($cat: CatInput! = {name: \"Brontie\"}) { addPet(pet: {cat: $cat}) { name } }",
        "query q($b: Boolean) { arguments { optionalNonNullBooleanArgField(optionalBooleanArg: $b) } }",
        "query q($b: Boolean = true) { arguments { nonNullBooleanArgField(nonNullBooleanArg: $b) } }",
        "query q($b: Boolean!) { arguments { booleanArgField(booleanArg: $b) } }",
    ])
    func allowed(document: String) throws {
        #expect(try errors(VariablesInAllowedPosition(), document) == [])
    }

    @Test(arguments: [
        ("Int", "booleanArgField(booleanArg: $v)", "Boolean"),
        ("[Boolean]", "booleanArgField(booleanArg: $v)", "Boolean"),
        ("Boolean", "nonNullBooleanArgField(nonNullBooleanArg: $v)", "Boolean!"),
        ("[Boolean]", "nonNullBooleanListField(nonNullBooleanListArg: $v)", "[Boolean]!"),
        ("Boolean = null", "nonNullBooleanArgField(nonNullBooleanArg: $v)", "Boolean!"),
        ("Boolean", "booleanListArgField(booleanListArg: $v)", "[Boolean]!"),
    ])
    func notAllowed(type: String, field: String, expected: String) throws {
        let found = try errors(VariablesInAllowedPosition(), "query q($v: \(type)) {\n arguments { \(field) } }")
        let column = 14 + field.utf8.count - 3
        let name = type.split(separator: " ")[0]
        #expect(
            found == [
                "Variable \"$v\" of type \"\(name)\" used in position expecting type "
                    + "\"\(expected)\". (1:9, 2:\(column))"
            ])
    }

    @Test func listItems() throws {
        let document = "query q($v: Boolean) { booleanList(booleanListArg: [true, $v]) }"
        #expect(
            try errors(VariablesInAllowedPosition(), document) == [
                "Variable \"$v\" of type \"Boolean\" used in position expecting type \"Boolean!\". (1:9, 1:59)"
            ])
    }

    /// Within an operation ValuesOfCorrectType tells it; with a fragment, only the operation knows the variable.
    @Test func aOneOfsVariableIsNotNullable() throws {
        let inOperation = "mutation addNullableCat($cat: CatInput) { addPet(pet: {cat: $cat}) { name } }"
        #expect(
            try errors([ValuesOfCorrectType(), VariablesInAllowedPosition()], inOperation) == [
                "Variable \"cat\" must be non-nullable to be used for OneOf Input Object \"PetInput\". (1:55)"
            ])
        let inFragment =
            "mutation m($cat: CatInput) { ...F } fragment F on Mutation { addPet(pet: {cat: $cat}) { name } }"
        #expect(
            try errors([ValuesOfCorrectType(), VariablesInAllowedPosition()], inFragment) == [
                "Variable \"$cat\" is of type \"CatInput\" but must be non-nullable to be used for OneOf Input Object "
                    + "\"PetInput\". (1:12, 1:80)"
            ])
    }
}
