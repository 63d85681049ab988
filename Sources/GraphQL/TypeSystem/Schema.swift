/// A type system, immutable once built. Types refer to each other by `TypeIndex`, so there are no reference cycles and
/// a look-up is an array access.
/// Spec: 3 Type System
public final class Schema: Sendable {
    public let description: String?
    /// In the order of definition: built-in scalars and introspection types first.
    public let types: [NamedType]
    public let directives: [DirectiveType]
    /// Applied to the schema itself.
    public let appliedDirectives: [Directive]
    /// `TypeIndex.undefined` in a schema that was assumed to be valid and has no query type; see `rootType(for:)`.
    public let queryType: TypeIndex
    public let mutationType: TypeIndex?
    public let subscriptionType: TypeIndex?
    /// For each abstract type, its object types; for an object type, itself.
    public let possibleTypes: [[TypeIndex]]

    /// Spec: 4.1 Type Name Introspection, 4.2 Schema Introspection. nil where the schema lacks the types.
    let typenameField: FieldType?
    let schemaField: FieldType?
    let typeField: FieldType?
    let typesByName: [String: TypeIndex]
    let directivesByName: [String: Int]
    /// `possibleTypeSets[abstract][object]`, for constant-time questions.
    let possibleTypeSets: [[Bool]]

    init(
        description: String?, types: [NamedType], directives: [DirectiveType], queryType: TypeIndex,
        mutationType: TypeIndex?, subscriptionType: TypeIndex?, appliedDirectives: [Directive] = []
    ) {
        self.description = description
        self.appliedDirectives = appliedDirectives
        self.types = types
        self.directives = directives
        self.queryType = queryType
        self.mutationType = mutationType
        self.subscriptionType = subscriptionType
        let typesByName = Dictionary(
            types.indices.map { (types[$0].name, TypeIndex($0)) }, uniquingKeysWith: { first, _ in first })
        self.typesByName = typesByName
        typenameField = FieldType(meta: "__typename", typesByName["String"].map { .nonNull(.named($0)) })
        schemaField = FieldType(meta: "__schema", typesByName["__Schema"].map { .nonNull(.named($0)) })
        typeField = FieldType(
            meta: "__type", typesByName["__Type"].map { .named($0) },
            argument: typesByName["String"].map { ("name", .nonNull(.named($0))) })
        directivesByName = Dictionary(
            directives.indices.map { (directives[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
        possibleTypes = types.indices.map { index in
            switch types[index] {
            case .object: [TypeIndex(index)]
            case .union(let union): union.memberTypes
            case .interface:
                types.indices.filter {
                    if case .object(let object) = types[$0] {
                        object.interfaces.contains(TypeIndex(index))
                    } else {
                        false
                    }
                }.map(TypeIndex.init)
            case .scalar, .enumeration, .inputObject: []
            }
        }
        possibleTypeSets = possibleTypes.map { possible in
            var set = [Bool](repeating: false, count: possible.isEmpty ? 0 : types.count)
            for index in possible { set[index.rawValue] = true }
            return set
        }
    }

    public subscript(index: TypeIndex) -> NamedType { types[index.rawValue] }

    public func typeIndex(named name: String) -> TypeIndex? { typesByName[name] }

    public func type(named name: String) -> NamedType? { typesByName[name].map { self[$0] } }

    public func directive(named name: String) -> DirectiveType? { directivesByName[name].map { directives[$0] } }

    public func rootType(for operation: OperationType) -> TypeIndex? {
        switch operation {
        case .query: queryType == .undefined ? nil : queryType
        case .mutation: mutationType
        case .subscription: subscriptionType
        }
    }

    /// Whether an object of type `object` may stand where `abstract` (or `object` itself) is asked for.
    public func isPossible(_ object: TypeIndex, for abstract: TypeIndex) -> Bool {
        let set = possibleTypeSets[abstract.rawValue]
        return !set.isEmpty && set[object.rawValue]
    }
}

/// The position of a type in `Schema.types`.
public struct TypeIndex: Hashable, Sendable {
    public let rawValue: Int

    public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// No type has this index: asking the schema for it traps.
    public static let undefined = TypeIndex(-1)
}

/// Spec: 3.4.1 Wrapping Types
public indirect enum TypeReference: Hashable, Sendable {
    case named(TypeIndex)
    case list(TypeReference)
    case nonNull(TypeReference)

    public var isNonNull: Bool { if case .nonNull = self { true } else { false } }

    /// Without an outer `!`.
    public var nullable: TypeReference { if case .nonNull(let type) = self { type } else { self } }

    /// The named type inside all wrappers.
    public var namedType: TypeIndex {
        switch self {
        case .named(let index): index
        case .list(let type), .nonNull(let type): type.namedType
        }
    }
}

public enum NamedType: Sendable {
    case scalar(ScalarType)
    case object(ObjectType)
    case interface(InterfaceType)
    case union(UnionType)
    case enumeration(EnumType)
    case inputObject(InputObjectType)

    public var name: String {
        switch self {
        case .scalar(let type): type.name
        case .object(let type): type.name
        case .interface(let type): type.name
        case .union(let type): type.name
        case .enumeration(let type): type.name
        case .inputObject(let type): type.name
        }
    }

    public var isLeaf: Bool {
        switch self {
        case .scalar, .enumeration: true;
        default: false
        }
    }
    public var isComposite: Bool {
        switch self {
        case .object, .interface, .union: true;
        default: false
        }
    }
    public var isAbstract: Bool {
        switch self {
        case .interface, .union: true;
        default: false
        }
    }
    public var isInput: Bool {
        switch self {
        case .scalar, .enumeration, .inputObject: true;
        default: false
        }
    }

    /// The fields of an object or interface; empty for every other kind.
    public var fields: [FieldType] {
        switch self {
        case .object(let type): type.fields
        case .interface(let type): type.fields
        default: []
        }
    }

    public func field(named name: String) -> FieldType? {
        switch self {
        case .object(let type): type.fieldsByName[name].map { type.fields[$0] }
        case .interface(let type): type.fieldsByName[name].map { type.fields[$0] }
        default: nil
        }
    }
}

public final class ScalarType: Sendable {
    public let name: String
    public let description: String?
    public let specifiedByURL: String?
    public let directives: [Directive]
    let coercion: ScalarCoercion

    init(name: String, description: String?, specifiedByURL: String?, directives: [Directive], coercion: ScalarCoercion)
    {
        self.name = name
        self.description = description
        self.specifiedByURL = specifiedByURL
        self.directives = directives
        self.coercion = coercion
    }
}

/// Input coercion of a scalar. Output is the business of Swift types that conform to `LeafValue`.
public struct ScalarCoercion: Sendable {
    /// Takes a variable's or a literal's value (`.enumeration` for an enum literal) and gives the coerced one.
    /// Throws `CoercionError` with the sentence that the client reads.
    public let coerceInput: @Sendable (InputValue) throws(CoercionError) -> InputValue
    /// Takes a literal as it was written; nil where `coerceInput` serves for literals, too.
    let coerceLiteral: (@Sendable (Value) throws(CoercionError) -> InputValue)?

    public init(
        coerceInput: @escaping @Sendable (InputValue) throws(CoercionError) -> InputValue,
        coerceLiteral: (@Sendable (Value) throws(CoercionError) -> InputValue)? = nil
    ) {
        self.coerceInput = coerceInput
        self.coerceLiteral = coerceLiteral
    }

    /// Any value, as it came: what a custom scalar does by default.
    public static let any = ScalarCoercion { (value) throws(CoercionError) in value }
}

public struct CoercionError: Error, Sendable, Equatable {
    public var message: String

    public init(_ message: String) { self.message = message }
}

public final class ObjectType: Sendable {
    public let name: String
    public let description: String?
    public let interfaces: [TypeIndex]
    public let fields: [FieldType]
    public let directives: [Directive]
    let fieldsByName: [String: Int]

    init(name: String, description: String?, interfaces: [TypeIndex], fields: [FieldType], directives: [Directive]) {
        self.name = name
        self.description = description
        self.interfaces = interfaces
        self.fields = fields
        self.directives = directives
        fieldsByName = indicesByName(fields, name: \.name)
    }
}

public final class InterfaceType: Sendable {
    public let name: String
    public let description: String?
    public let interfaces: [TypeIndex]
    public let fields: [FieldType]
    public let directives: [Directive]
    let fieldsByName: [String: Int]

    init(name: String, description: String?, interfaces: [TypeIndex], fields: [FieldType], directives: [Directive]) {
        self.name = name
        self.description = description
        self.interfaces = interfaces
        self.fields = fields
        self.directives = directives
        fieldsByName = indicesByName(fields, name: \.name)
    }
}

public final class UnionType: Sendable {
    public let name: String
    public let description: String?
    public let memberTypes: [TypeIndex]
    public let directives: [Directive]

    init(name: String, description: String?, memberTypes: [TypeIndex], directives: [Directive]) {
        self.name = name
        self.description = description
        self.memberTypes = memberTypes
        self.directives = directives
    }
}

public final class EnumType: Sendable {
    public let name: String
    public let description: String?
    public let values: [EnumValue]
    public let directives: [Directive]
    let valuesByName: [String: Int]

    init(name: String, description: String?, values: [EnumValue], directives: [Directive]) {
        self.name = name
        self.description = description
        self.values = values
        self.directives = directives
        valuesByName = indicesByName(values, name: \.name)
    }

    public func value(named name: String) -> EnumValue? { valuesByName[name].map { values[$0] } }
}

public final class EnumValue: Sendable {
    public let name: String
    public let description: String?
    public let deprecationReason: String?
    public let directives: [Directive]

    init(name: String, description: String?, deprecationReason: String?, directives: [Directive]) {
        self.name = name
        self.description = description
        self.deprecationReason = deprecationReason
        self.directives = directives
    }
}

public final class InputObjectType: Sendable {
    public let name: String
    public let description: String?
    public let isOneOf: Bool
    public let fields: [InputValueType]
    public let directives: [Directive]
    let fieldsByName: [String: Int]

    init(name: String, description: String?, isOneOf: Bool, fields: [InputValueType], directives: [Directive]) {
        self.name = name
        self.description = description
        self.isOneOf = isOneOf
        self.fields = fields
        self.directives = directives
        fieldsByName = indicesByName(fields, name: \.name)
    }

    public func field(named name: String) -> InputValueType? { fieldsByName[name].map { fields[$0] } }
}

/// A field of an object or interface.
public final class FieldType: Sendable {
    public let name: String
    public let description: String?
    public let arguments: [InputValueType]
    public let type: TypeReference
    /// The type inside all wrappers.
    public let namedType: TypeIndex
    public let deprecationReason: String?
    public let directives: [Directive]

    init(
        name: String, description: String?, arguments: [InputValueType], type: TypeReference,
        deprecationReason: String?, directives: [Directive]
    ) {
        self.name = name
        self.description = description
        self.arguments = arguments
        self.type = type
        namedType = type.namedType
        self.deprecationReason = deprecationReason
        self.directives = directives
    }

    public func argument(named name: String) -> InputValueType? { arguments.first { $0.name == name } }
}

/// An argument, or a field of an input object.
public final class InputValueType: Sendable {
    public let name: String
    public let description: String?
    public let type: TypeReference
    /// The default as written, for introspection and printing.
    public let defaultLiteral: Value?
    /// The default, coerced once when the schema is built.
    public let defaultValue: InputValue?
    public let deprecationReason: String?
    public let directives: [Directive]
    /// Of an input field: whether it holds a secret.
    public let isSensitive: Bool

    init(
        name: String, description: String?, type: TypeReference, defaultLiteral: Value?, defaultValue: InputValue?,
        deprecationReason: String?, directives: [Directive]
    ) {
        self.name = name
        self.description = description
        self.type = type
        self.defaultLiteral = defaultLiteral
        self.defaultValue = defaultValue
        self.deprecationReason = deprecationReason
        self.directives = directives
        isSensitive = directives.isSensitive
    }

    /// Spec: 5.4.3 Required Arguments
    public var isRequired: Bool { type.isNonNull && defaultLiteral == nil }

    /// The coerced value as resolvers get it: a secret if the field is sensitive.
    func sealed(_ value: InputValue) -> InputValue {
        guard isSensitive else { return value }
        switch value {
        case .string(let text): return .secret(Secret(text))
        case .null: return .secret(nil)
        default: return value
        }
    }
}

public final class DirectiveType: Sendable {
    public let name: String
    public let description: String?
    public let locations: [DirectiveLocation]
    public let arguments: [InputValueType]
    public let isRepeatable: Bool

    init(
        name: String, description: String?, locations: [DirectiveLocation], arguments: [InputValueType],
        isRepeatable: Bool
    ) {
        self.name = name
        self.description = description
        self.locations = locations
        self.arguments = arguments
        self.isRepeatable = isRepeatable
    }

    public func argument(named name: String) -> InputValueType? { arguments.first { $0.name == name } }
}

private func indicesByName<Element>(_ elements: [Element], name: (Element) -> String) -> [String: Int] {
    Dictionary(elements.indices.map { (name(elements[$0]), $0) }, uniquingKeysWith: { first, _ in first })
}
