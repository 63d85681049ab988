@testable import GraphQL

/// The types of the examples in the specification's section 5, with the additions that single examples make.
enum PetSchema {
    static let schema = Result { try buildSchema(parse(Source(text))) }

    private static let text = """
        type Query {
          dog: Dog
          findDog(searchBy: FindDogInput): Dog
          human: Human
          pet: Pet
          catOrDog: CatOrDog
          arguments: Arguments
          booleanList(booleanListArg: [Boolean!]): Boolean
          node: Node
        }
        type Mutation { addPet(pet: PetInput!): Pet addPets(pets: [PetInput!]!): [Pet] }
        type Subscription { newMessage: Message disallowedSecondRootField: Boolean }
        type Message { body: String sender: String }
        enum DogCommand { SIT DOWN HEEL }
        type Dog implements Pet {
          name: String!
          nickname: String
          barkVolume: Int
          doesKnowCommand(dogCommand: DogCommand!): Boolean!
          isHouseTrained(atOtherHomes: Boolean): Boolean!
          owner: Human
        }
        interface Sentient { name: String! }
        interface Pet { name: String! }
        type Alien implements Sentient { name: String! homePlanet: String }
        type Human implements Sentient { name: String! pets: [Pet!] }
        enum CatCommand { JUMP }
        type Cat implements Pet {
          name: String!
          nickname: String
          doesKnowCommand(catCommand: CatCommand!): Boolean!
          meowVolume: Int
        }
        union CatOrDog = Cat | Dog
        union DogOrHuman = Dog | Human
        union HumanOrAlien = Human | Alien
        input FindDogInput { name: String owner: String }
        input CatInput { name: String! nickname: String meowVolume: Int }
        input DogInput { name: String! nickname: String barkVolume: Int }
        input PetInput @oneOf { cat: CatInput dog: DogInput }
        type Arguments {
          multipleRequirements(x: Int!, y: Int!): Int!
          booleanArgField(booleanArg: Boolean): Boolean
          floatArgField(floatArg: Float): Float
          intArgField(intArg: Int): Int
          nonNullBooleanArgField(nonNullBooleanArg: Boolean!): Boolean!
          nonNullBooleanListField(nonNullBooleanListArg: [Boolean]!): Boolean
          booleanListArgField(booleanListArg: [Boolean]!): [Boolean]
          optionalNonNullBooleanArgField(optionalBooleanArg: Boolean! = false): Boolean!
          dateArgField(date: Date): Boolean
        }
        interface Node { id: ID! }
        interface Resource implements Node { id: ID! url: String }
        type Page implements Node & Resource { id: ID! url: String }
        scalar Date
        directive @label(text: String!) repeatable on FIELD | QUERY | VARIABLE_DEFINITION
        """
}

/// The errors of one rule: each message with its places, as in `… (1:3, 2:5)`.
func errors(
    _ rule: some ValidationRule, _ document: String, schema: Schema? = nil,
    options: ValidationOptions = ValidationOptions()
) throws -> [String] {
    try errors([rule], document, schema: schema, options: options)
}

/// The errors of several rules.
func errors(
    _ rules: [any ValidationRule], _ document: String, schema: Schema? = nil,
    options: ValidationOptions = ValidationOptions()
) throws -> [String] {
    let schema = try schema ?? PetSchema.schema.get()
    return validate(try parse(Source(document)), against: schema, RuleList(rules: rules), options).map(described)
}

/// The errors of the rules with these names.
func errors(named rules: [ValidationRuleName], _ document: String) throws -> [String] {
    validate(try parse(Source(document)), against: try PetSchema.schema.get(), rules: rules).map(described)
}

private func described(_ error: GraphQLError) -> String {
    let places = error.locations.map { "\($0.line):\($0.column)" }.joined(separator: ", ")
    return places.isEmpty ? error.message : "\(error.message) (\(places))"
}
