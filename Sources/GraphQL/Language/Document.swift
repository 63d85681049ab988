/// Document : Definition+
public struct Document: Sendable {
    public var source: Source
    public var definitions: [Definition]

    public init(source: Source, definitions: [Definition]) {
        self.source = source
        self.definitions = definitions
    }
}

/// Definition : ExecutableDefinition | TypeSystemDefinitionOrExtension
public enum Definition: Sendable {
    case operation(OperationDefinition)
    case fragment(FragmentDefinition)
    case schema(SchemaDefinition)
    case schemaExtension(SchemaDefinition)
    case type(TypeDefinition)
    case typeExtension(TypeDefinition)
    case directive(DirectiveDefinition)
}

/// A name with its place.
public struct Name: Sendable {
    public var value: String
    public var location: Location

    public init(_ value: String, at location: Location = .none) {
        self.value = value
        self.location = location
    }
}

// MARK: - Executable definitions

/// OperationType : one of `query` `mutation` `subscription`
public enum OperationType: String, Sendable, CaseIterable {
    case query, mutation, subscription
}

/// OperationDefinition : Description? OperationType Name? VariablesDefinition? Directives? SelectionSet
public struct OperationDefinition: Sendable {
    public var location: Location
    public var description: StringValue?
    public var operation: OperationType
    public var name: Name?
    public var variableDefinitions: [VariableDefinition]
    public var directives: [Directive]
    public var selectionSet: SelectionSet

    public init(
        location: Location = .none, description: StringValue? = nil, operation: OperationType, name: Name? = nil,
        variableDefinitions: [VariableDefinition] = [], directives: [Directive] = [], selectionSet: SelectionSet
    ) {
        self.location = location
        self.description = description
        self.operation = operation
        self.name = name
        self.variableDefinitions = variableDefinitions
        self.directives = directives
        self.selectionSet = selectionSet
    }
}

/// VariableDefinition : Description? Variable : Type DefaultValue? Directives[Const]?
public struct VariableDefinition: Sendable {
    public var location: Location
    public var description: StringValue?
    public var name: Name
    public var type: TypeNode
    public var defaultValue: Value?
    public var directives: [Directive]

    public init(
        location: Location = .none, description: StringValue? = nil, name: Name, type: TypeNode,
        defaultValue: Value? = nil, directives: [Directive] = []
    ) {
        self.location = location
        self.description = description
        self.name = name
        self.type = type
        self.defaultValue = defaultValue
        self.directives = directives
    }
}

/// SelectionSet : { Selection+ }
public struct SelectionSet: Sendable {
    public var location: Location
    public var selections: [Selection]

    public init(location: Location = .none, selections: [Selection]) {
        self.location = location
        self.selections = selections
    }
}

/// Selection : Field | FragmentSpread | InlineFragment
public enum Selection: Sendable {
    case field(Field)
    case fragmentSpread(FragmentSpread)
    case inlineFragment(InlineFragment)
}

/// Field : Alias? Name Arguments? Directives? SelectionSet?
public struct Field: Sendable {
    public var location: Location
    public var alias: Name?
    public var name: Name
    public var arguments: [Argument]
    public var directives: [Directive]
    public var selectionSet: SelectionSet?

    public init(
        location: Location = .none, alias: Name? = nil, name: Name, arguments: [Argument] = [],
        directives: [Directive] = [], selectionSet: SelectionSet? = nil
    ) {
        self.location = location
        self.alias = alias
        self.name = name
        self.arguments = arguments
        self.directives = directives
        self.selectionSet = selectionSet
    }

    /// The key under which the field's value appears in the response.
    public var responseName: String { alias?.value ?? name.value }
}

/// Argument : Name : Value
public struct Argument: Sendable {
    public var location: Location
    public var name: Name
    public var value: Value

    public init(location: Location = .none, name: Name, value: Value) {
        self.location = location
        self.name = name
        self.value = value
    }
}

/// FragmentSpread : ... FragmentName Directives?
public struct FragmentSpread: Sendable {
    public var location: Location
    public var name: Name
    public var directives: [Directive]

    public init(location: Location = .none, name: Name, directives: [Directive] = []) {
        self.location = location
        self.name = name
        self.directives = directives
    }
}

/// InlineFragment : ... TypeCondition? Directives? SelectionSet
public struct InlineFragment: Sendable {
    public var location: Location
    public var typeCondition: NamedTypeNode?
    public var directives: [Directive]
    public var selectionSet: SelectionSet

    public init(
        location: Location = .none, typeCondition: NamedTypeNode? = nil, directives: [Directive] = [],
        selectionSet: SelectionSet
    ) {
        self.location = location
        self.typeCondition = typeCondition
        self.directives = directives
        self.selectionSet = selectionSet
    }
}

/// FragmentDefinition : Description? fragment FragmentName TypeCondition Directives? SelectionSet
public struct FragmentDefinition: Sendable {
    public var location: Location
    public var description: StringValue?
    public var name: Name
    /// Empty without ``ParserOptions/allowLegacyFragmentVariables``.
    public var variableDefinitions: [VariableDefinition]
    public var typeCondition: NamedTypeNode
    public var directives: [Directive]
    public var selectionSet: SelectionSet

    public init(
        location: Location = .none, description: StringValue? = nil, name: Name,
        variableDefinitions: [VariableDefinition] = [], typeCondition: NamedTypeNode,
        directives: [Directive] = [], selectionSet: SelectionSet
    ) {
        self.location = location
        self.description = description
        self.name = name
        self.variableDefinitions = variableDefinitions
        self.typeCondition = typeCondition
        self.directives = directives
        self.selectionSet = selectionSet
    }
}

/// Directive : @ Name Arguments?
public struct Directive: Sendable {
    public var location: Location
    public var name: Name
    public var arguments: [Argument]

    public init(location: Location = .none, name: Name, arguments: [Argument] = []) {
        self.location = location
        self.name = name
        self.arguments = arguments
    }
}

// MARK: - Values and type references

/// Value : Variable | IntValue | FloatValue | StringValue | BooleanValue | NullValue | EnumValue | ListValue |
/// ObjectValue
public struct Value: Sendable {
    public var location: Location
    public var kind: Kind

    public enum Kind: Sendable {
        case variable(String)
        /// The digits as they are written, since a custom scalar may take numbers that no `Int` holds.
        case int(String)
        case float(String)
        case string(StringValue)
        case boolean(Bool)
        case null
        case enumeration(String)
        case list([Value])
        case object([ObjectField])
    }

    public init(_ kind: Kind, at location: Location = .none) {
        self.kind = kind
        self.location = location
    }
}

/// A string's value, escapes and block indentation already resolved.
public struct StringValue: Sendable {
    public var location: Location
    public var value: String
    public var isBlock: Bool

    public init(_ value: String, isBlock: Bool = false, at location: Location = .none) {
        self.value = value
        self.isBlock = isBlock
        self.location = location
    }
}

/// ObjectField : Name : Value
public struct ObjectField: Sendable {
    public var location: Location
    public var name: Name
    public var value: Value

    public init(location: Location = .none, name: Name, value: Value) {
        self.location = location
        self.name = name
        self.value = value
    }
}

/// NamedType : Name
public struct NamedTypeNode: Sendable {
    public var name: Name

    public init(_ name: Name) { self.name = name }

    public var location: Location { name.location }
}

/// Type : NamedType | ListType | NonNullType
public indirect enum TypeNode: Sendable {
    case named(NamedTypeNode)
    case list(TypeNode, Location)
    case nonNull(TypeNode, Location)

    public var location: Location {
        switch self {
        case .named(let named): named.location
        case .list(_, let location), .nonNull(_, let location): location
        }
    }

    /// The named type inside all wrappers.
    var namedType: NamedTypeNode {
        switch self {
        case .named(let named): named
        case .list(let type, _), .nonNull(let type, _): type.namedType
        }
    }

    var isNonNull: Bool { if case .nonNull = self { true } else { false } }
}

// MARK: - Type system definitions and extensions

/// SchemaDefinition : Description? schema Directives[Const]? { RootOperationTypeDefinition+ }
///
/// A schema extension has the same shape, without a description.
public struct SchemaDefinition: Sendable {
    public var location: Location
    public var description: StringValue?
    public var directives: [Directive]
    public var operationTypes: [RootOperationTypeDefinition]

    public init(
        location: Location = .none, description: StringValue? = nil, directives: [Directive] = [],
        operationTypes: [RootOperationTypeDefinition]
    ) {
        self.location = location
        self.description = description
        self.directives = directives
        self.operationTypes = operationTypes
    }
}

/// RootOperationTypeDefinition : OperationType : NamedType
public struct RootOperationTypeDefinition: Sendable {
    public var location: Location
    public var operation: OperationType
    public var type: NamedTypeNode

    public init(location: Location = .none, operation: OperationType, type: NamedTypeNode) {
        self.location = location
        self.operation = operation
        self.type = type
    }
}

/// TypeDefinition : ScalarTypeDefinition | ObjectTypeDefinition | InterfaceTypeDefinition | UnionTypeDefinition |
/// EnumTypeDefinition | InputObjectTypeDefinition
///
/// The struct serves all six kinds: properties that a kind does not have are empty. A type extension has the same
/// shape, without a description.
public struct TypeDefinition: Sendable {
    public enum Kind: String, Sendable {
        case scalar, object, interface, union, enumeration, inputObject
    }

    public var kind: Kind
    public var location: Location
    public var description: StringValue?
    public var name: Name
    public var directives: [Directive]
    /// The interfaces of an object or interface; empty for the other kinds.
    public var interfaces: [NamedTypeNode] = []
    /// The fields of an object or interface; empty for the other kinds.
    public var fields: [FieldDefinition] = []
    /// The members of a union; empty for the other kinds.
    public var memberTypes: [NamedTypeNode] = []
    /// The values of an enum; empty for the other kinds.
    public var values: [EnumValueDefinition] = []
    /// The fields of an input object; empty for the other kinds.
    public var inputFields: [InputValueDefinition] = []

    public init(
        kind: Kind, location: Location = .none, description: StringValue? = nil, name: Name,
        directives: [Directive] = []
    ) {
        self.kind = kind
        self.location = location
        self.description = description
        self.name = name
        self.directives = directives
    }
}

/// FieldDefinition : Description? Name ArgumentsDefinition? : Type Directives[Const]?
public struct FieldDefinition: Sendable {
    public var location: Location
    public var description: StringValue?
    public var name: Name
    public var arguments: [InputValueDefinition]
    public var type: TypeNode
    public var directives: [Directive]

    public init(
        location: Location = .none, description: StringValue? = nil, name: Name,
        arguments: [InputValueDefinition] = [], type: TypeNode, directives: [Directive] = []
    ) {
        self.location = location
        self.description = description
        self.name = name
        self.arguments = arguments
        self.type = type
        self.directives = directives
    }
}

/// InputValueDefinition : Description? Name : Type DefaultValue? Directives[Const]?
public struct InputValueDefinition: Sendable {
    public var location: Location
    public var description: StringValue?
    public var name: Name
    public var type: TypeNode
    public var defaultValue: Value?
    public var directives: [Directive]

    public init(
        location: Location = .none, description: StringValue? = nil, name: Name, type: TypeNode,
        defaultValue: Value? = nil, directives: [Directive] = []
    ) {
        self.location = location
        self.description = description
        self.name = name
        self.type = type
        self.defaultValue = defaultValue
        self.directives = directives
    }
}

/// EnumValueDefinition : Description? EnumValue Directives[Const]?
public struct EnumValueDefinition: Sendable {
    public var location: Location
    public var description: StringValue?
    public var name: Name
    public var directives: [Directive]

    public init(
        location: Location = .none, description: StringValue? = nil, name: Name, directives: [Directive] = []
    ) {
        self.location = location
        self.description = description
        self.name = name
        self.directives = directives
    }
}

/// DirectiveDefinition : Description? directive @ Name ArgumentsDefinition? repeatable? on DirectiveLocations
public struct DirectiveDefinition: Sendable {
    public var location: Location
    public var description: StringValue?
    public var name: Name
    public var arguments: [InputValueDefinition]
    public var isRepeatable: Bool
    public var locations: [Name]

    public init(
        location: Location = .none, description: StringValue? = nil, name: Name,
        arguments: [InputValueDefinition] = [], isRepeatable: Bool = false, locations: [Name]
    ) {
        self.location = location
        self.description = description
        self.name = name
        self.arguments = arguments
        self.isRepeatable = isRepeatable
        self.locations = locations
    }
}

/// A place where a directive may be applied. The raw value is the grammar's word.
/// Spec: 3.13 Directives
public enum DirectiveLocation: String, Sendable, CaseIterable {
    case query = "QUERY", mutation = "MUTATION", subscription = "SUBSCRIPTION", field = "FIELD"
    case fragmentDefinition = "FRAGMENT_DEFINITION", fragmentSpread = "FRAGMENT_SPREAD"
    case inlineFragment = "INLINE_FRAGMENT", variableDefinition = "VARIABLE_DEFINITION"
    case schema = "SCHEMA", scalar = "SCALAR", object = "OBJECT", fieldDefinition = "FIELD_DEFINITION"
    case argumentDefinition = "ARGUMENT_DEFINITION", interface = "INTERFACE", union = "UNION"
    case enumeration = "ENUM", enumValue = "ENUM_VALUE", inputObject = "INPUT_OBJECT"
    case inputFieldDefinition = "INPUT_FIELD_DEFINITION"
}
