/// The scalars, directives and introspection types that a schema has without defining them.
enum BuiltInDefinitions {
    /// A schema has the built-in scalars that a field, an argument or an input field refers to.
    /// Spec: 3.5 Scalars
    static let scalars: [String: ScalarCoercion] = [
        "Int": .int, "Float": .float, "String": .string, "Boolean": .boolean, "ID": .id,
    ]

    static let scalarNames = ["Int", "Float", "String", "Boolean", "ID"]

    static let introspectionTypeNames = [
        "__Schema", "__Type", "__TypeKind", "__Field", "__InputValue", "__EnumValue", "__Directive",
        "__DirectiveLocation",
    ]

    static let directiveNames = ["skip", "include", "defer", "stream", "deprecated", "specifiedBy", "oneOf"]

    static func isTypeName(_ name: String) -> Bool {
        scalars[name] != nil || introspectionTypeNames.contains(name)
    }

    static let source = Source(directivesText + introspectionTypesText, name: "built-in definitions")

    /// Spec: 3.13 Directives
    private static let directivesText = #"""
        "Leaves the selection out when the condition is true."
        directive @skip(
          "The selection is left out when this is true."
          if: Boolean!
        ) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT

        "Takes the selection in only when the condition is true."
        directive @include(
          "The selection is taken in when this is true."
          if: Boolean!
        ) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT

        "Lets the fragment's fields come after the others, where the client takes a response in several parts."
        directive @defer(
          "The fragment is deferred when this is true."
          if: Boolean! = true
          "Tells the fragment from others in the response; no other @defer or @stream of the document has it."
          label: String
        ) on FRAGMENT_SPREAD | INLINE_FRAGMENT

        "Lets the later items of a list come after the others, where the client takes a response in several parts."
        directive @stream(
          "The list is streamed when this is true."
          if: Boolean! = true
          "Tells the list from others in the response; no other @defer or @stream of the document has it."
          label: String
          "How many items come at once."
          initialCount: Int! = 0
        ) on FIELD

        "Marks what still works, but should no longer be used."
        directive @deprecated(
          "Why, and what to use instead, as CommonMark."
          reason: String! = "No longer supported"
        ) on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE

        "Names the specification that a custom scalar follows."
        directive @specifiedBy(
          "The address of the specification."
          url: String!
        ) on SCALAR

        "Makes an input object take exactly one of its fields, and that one not null."
        directive @oneOf on INPUT_OBJECT

        """#

    /// Spec: 4.2 Schema Introspection
    private static let introspectionTypesText = #"""
        "The type system of this service."
        type __Schema {
          description: String
          "Every type that the service knows, built-in ones included."
          types: [__Type!]!
          queryType: __Type!
          mutationType: __Type
          subscriptionType: __Type
          "Every directive that the service knows, built-in ones included."
          directives: [__Directive!]!
        }

        "A named type, or a list or non-null wrapper around another; its kind says which fields have a value."
        type __Type {
          kind: __TypeKind!
          "Null for wrappers."
          name: String
          description: String
          "Only custom scalars may have one."
          specifiedByURL: String
          "Of objects and interfaces."
          fields(includeDeprecated: Boolean! = false): [__Field!]
          "Of objects and interfaces."
          interfaces: [__Type!]
          "Of interfaces and unions."
          possibleTypes: [__Type!]
          "Of enums."
          enumValues(includeDeprecated: Boolean! = false): [__EnumValue!]
          "Of input objects."
          inputFields(includeDeprecated: Boolean! = false): [__InputValue!]
          "What a wrapper wraps."
          ofType: __Type
          "Of input objects: whether exactly one field must be given."
          isOneOf: Boolean
        }

        "What a type can be."
        enum __TypeKind {
          SCALAR
          OBJECT
          INTERFACE
          UNION
          ENUM
          INPUT_OBJECT
          LIST
          NON_NULL
        }

        "A field of an object or interface."
        type __Field {
          name: String!
          description: String
          args(includeDeprecated: Boolean! = false): [__InputValue!]!
          type: __Type!
          isDeprecated: Boolean!
          deprecationReason: String
        }

        "An argument of a field or directive, or a field of an input object."
        type __InputValue {
          name: String!
          description: String
          type: __Type!
          "The default as a GraphQL literal."
          defaultValue: String
          isDeprecated: Boolean!
          deprecationReason: String
        }

        "One of the values of an enum."
        type __EnumValue {
          name: String!
          description: String
          isDeprecated: Boolean!
          deprecationReason: String
        }

        "A directive that documents or the schema's definition may use."
        type __Directive {
          name: String!
          description: String
          "Whether it may be repeated at one location."
          isRepeatable: Boolean!
          locations: [__DirectiveLocation!]!
          args(includeDeprecated: Boolean! = false): [__InputValue!]!
        }

        "Where a directive may stand."
        enum __DirectiveLocation {
          QUERY
          MUTATION
          SUBSCRIPTION
          FIELD
          FRAGMENT_DEFINITION
          FRAGMENT_SPREAD
          INLINE_FRAGMENT
          VARIABLE_DEFINITION
          SCHEMA
          SCALAR
          OBJECT
          FIELD_DEFINITION
          ARGUMENT_DEFINITION
          INTERFACE
          UNION
          ENUM
          ENUM_VALUE
          INPUT_OBJECT
          INPUT_FIELD_DEFINITION
        }
        """#
}
