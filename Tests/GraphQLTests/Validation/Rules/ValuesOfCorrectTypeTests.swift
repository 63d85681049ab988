import Testing

@testable import GraphQL

@Suite struct ValuesOfCorrectTypeTests {
    @Test(arguments: [
        "fragment goodBooleanArg on Arguments { booleanArgField(booleanArg: true) }",
        "fragment coercedIntIntoFloatArg on Arguments { floatArgField(floatArg: 123) }",
        "query goodComplexDefaultValue($search: FindDogInput = {name: \"Fido\"}) { "
            + "findDog(searchBy: $search) { name } }",
        "mutation addPet($pet: PetInput! = {cat: {name: \"Brontie\"}}) { addPet(pet: $pet) { name } }",
        "{ findDog(searchBy: {name: \"Fido\"}) { name } }",
        "fragment listOfOne on Arguments { booleanListArgField(booleanListArg: true) }",
        "fragment custom on Arguments { dateArgField(date: {any: [1, VALUE, $v]}) }",
        "mutation ($cat: CatInput!) { addPet(pet: {cat: $cat}) { name } }",
    ])
    func valuesThatCoerce(document: String) throws {
        #expect(try errors(ValuesOfCorrectType(), document) == [])
    }

    @Test(arguments: [
        ("{ arguments { intArgField(intArg: \"123\") } }", "Int cannot represent non-integer value: \"123\" (1:35)"),
        (
            "{ arguments { intArgField(intArg: 2147483648) } }",
            "Int cannot represent non 32-bit signed integer value: 2147483648 (1:35)"
        ),
        ("{ arguments { floatArgField(floatArg: 1e400) } }", "Float cannot represent non numeric value: 1e400 (1:39)"),
        ("{ findDog(searchBy: {name: 123}) { name } }", "String cannot represent a non string value: 123 (1:28)"),
        ("{ findDog(searchBy: [1]) { name } }", "Expected value of type \"FindDogInput\", found [1]. (1:21)"),
        (
            "{ dog { doesKnowCommand(dogCommand: SITT) } }",
            "Value \"SITT\" does not exist in \"DogCommand\" enum. Did you mean the enum value \"SIT\"? (1:37)"
        ),
        (
            "{ dog { doesKnowCommand(dogCommand: {a: [1]}) } }",
            "Enum \"DogCommand\" cannot represent non-enum value: {a: [1]}. (1:37)"
        ),
        (
            "{ findDog(searchBy: {favoriteCookieFlavor: \"Bacon\"}) { name } }",
            "Field \"favoriteCookieFlavor\" is not defined by type \"FindDogInput\". (1:22)"
        ),
        (
            "mutation { addPet(pet: {cat: {}}) { name } }",
            "Field \"CatInput.name\" of required type \"String!\" was not provided. (1:30)"
        ),
        (
            "mutation { addPet(pet: {cat: {name: null}}) { name } }",
            "Expected value of type \"String!\", found null. (1:37)"
        ),
    ])
    func valuesThatDoNot(document: String, message: String) throws {
        #expect(try errors(ValuesOfCorrectType(), document) == [message])
    }

    @Test(arguments: [
        ("{}", "OneOf Input Object \"PetInput\" must specify exactly one key."),
        ("{cat: {name: \"Brontie\"}, dog: $dog}", "OneOf Input Object \"PetInput\" must specify exactly one key."),
        ("{dog: null}", "Field \"PetInput.dog\" must be non-null."),
        ("{dog: $dog}", "Variable \"dog\" must be non-nullable to be used for OneOf Input Object \"PetInput\"."),
    ])
    func exactlyOneFieldOfAOneOf(object: String, message: String) throws {
        #expect(
            try errors(ValuesOfCorrectType(), "mutation ($dog: DogInput) { addPet(pet: \(object)) { name } }") == [
                "\(message) (1:41)"
            ])
        #expect(
            try errors(ValuesOfCorrectType(), "mutation ($dog: DogInput) { addPets(pets: [\(object)]) { name } }") == [
                "\(message) (1:44)"
            ])
    }

    @Test func customScalarsSayWhatIsWrong() throws {
        let date = ScalarCoercion { (value) throws(CoercionError) in
            guard case .string = value else { throw CoercionError("A date is a string.") }
            return value
        }
        let schema = try buildSchema(
            parse(Source("type Query { on(date: Date!): Int } scalar Date")), scalars: ["Date": date])
        #expect(
            try errors(ValuesOfCorrectType(), "{ on(date: 7) }", schema: schema) == [
                "Expected value of type \"Date!\", found 7; A date is a string. (1:12)"
            ])
        #expect(try errors(ValuesOfCorrectType(), "{ on(date: \"today\") }", schema: schema) == [])
    }
}
