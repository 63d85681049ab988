/// A type system, immutable once it is built. Types refer to each other by ``TypeIndex``, so there are no reference
/// cycles, and a look-up is an access to an array.
/// Spec: 3 Type System
public final class Schema: Sendable {
    public let description: String?
    /// All types: the built-in scalars that are referred to, the introspection types, then the document's types in its
    /// order.
    public let types: [NamedType]
    /// The directives that documents may use, built-in ones first.
    public let directives: [DirectiveType]
    /// The directives applied to the schema itself.
    public let appliedDirectives: [Directive]
    /// ``TypeIndex/undefined`` where the schema has no query type. Only a schema that was built with `assumeValid` can
    /// lack it. ``rootType(for:)`` returns nil instead.
    public let queryType: TypeIndex
    /// nil where the schema has no mutations.
    public let mutationType: TypeIndex?
    /// nil where the schema has no subscriptions.
    public let subscriptionType: TypeIndex?
    /// The object types that a value of each type can have, by the type's index: for an interface, those that implement
    /// it; for a union, its members; for an object type, that type alone; for all other types, none.
    public let possibleTypes: [[TypeIndex]]

    /// The meta-fields; nil where the schema lacks their types.
    /// Spec: 4.1 Type Name Introspection, 4.2 Schema Introspection
    let typenameField: FieldType?
    let schemaField: FieldType?
    let typeField: FieldType?
    let typesByName: [String: TypeIndex]
    let directivesByName: [String: Int]
    /// `possibleTypes` as sets: `possibleTypeSets[abstract][object]`.
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

    /// The type at an index.
    public subscript(index: TypeIndex) -> NamedType { types[index.rawValue] }

    /// The index of the type with a name; nil where there is none.
    public func typeIndex(named name: String) -> TypeIndex? { typesByName[name] }

    /// The type with a name; nil where there is none.
    public func type(named name: String) -> NamedType? { typesByName[name].map { self[$0] } }

    /// The directive with a name, given without `@`; nil where there is none.
    public func directive(named name: String) -> DirectiveType? { directivesByName[name].map { directives[$0] } }

    /// The type whose fields are the root fields of an operation; nil where the schema has none.
    /// Spec: 3.3.1 Root Operation Types
    public func rootType(for operation: OperationType) -> TypeIndex? {
        switch operation {
        case .query: queryType == .undefined ? nil : queryType
        case .mutation: mutationType
        case .subscription: subscriptionType
        }
    }

    /// True where `object` is one of the possible types of `abstract`. An object type is possible for itself.
    public func isPossible(_ object: TypeIndex, for abstract: TypeIndex) -> Bool {
        let set = possibleTypeSets[abstract.rawValue]
        return !set.isEmpty && set[object.rawValue]
    }
}

/// The position of a type in ``Schema/types``.
public struct TypeIndex: Hashable, Sendable {
    public let rawValue: Int

    public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// An index that no type has. Asking the schema for it traps.
    public static let undefined = TypeIndex(-1)
}

/// A type that the schema defines.
/// Spec: 3.4 Types
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

    public var description: String? {
        switch self {
        case .scalar(let type): type.description
        case .object(let type): type.description
        case .interface(let type): type.description
        case .union(let type): type.description
        case .enumeration(let type): type.description
        case .inputObject(let type): type.description
        }
    }

    /// The directives applied to the type's definition and extensions.
    public var appliedDirectives: [Directive] {
        switch self {
        case .scalar(let type): type.directives
        case .object(let type): type.directives
        case .interface(let type): type.directives
        case .union(let type): type.directives
        case .enumeration(let type): type.directives
        case .inputObject(let type): type.directives
        }
    }

    /// True for a scalar or an enum.
    public var isLeaf: Bool {
        switch self {
        case .scalar, .enumeration: true;
        default: false
        }
    }
    /// True for an object type, an interface or a union.
    public var isComposite: Bool {
        switch self {
        case .object, .interface, .union: true;
        default: false
        }
    }
    /// True for an interface or a union.
    public var isAbstract: Bool {
        switch self {
        case .interface, .union: true;
        default: false
        }
    }
    /// True for a type that arguments and input fields may have: a scalar, an enum or an input object.
    /// Spec: 3.4.2 IsInputType
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

    /// The field of an object or interface with a name; nil where there is none.
    public func field(named name: String) -> FieldType? {
        switch self {
        case .object(let type): type.fieldsByName[name].map { type.fields[$0] }
        case .interface(let type): type.fieldsByName[name].map { type.fields[$0] }
        default: nil
        }
    }
}

/// Spec: 3.5 Scalars
public final class ScalarType: Sendable {
    public let name: String
    public let description: String?
    /// The address of the scalar's specification.
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

/// The input coercion of a scalar. Swift types that conform to ``LeafValue`` write the scalar's values into responses.
/// Spec: 3.5 Scalars, "Input Coercion"
public struct ScalarCoercion: Sendable {
    /// Takes the value of a variable or of a literal, and returns the coerced value. An enum literal comes as
    /// `.enumeration`. The error that it throws has the sentence that the client reads.
    public let coerceInput: @Sendable (InputValue) throws(CoercionError) -> InputValue
    /// Takes a literal as it is written; nil where `coerceInput` takes the values of literals, too.
    let coerceLiteral: (@Sendable (Value) throws(CoercionError) -> InputValue)?

    /// - Parameters:
    ///   - coerceInput: takes the value of a variable, or of a literal, and returns the coerced value.
    ///   - coerceLiteral: takes a literal as it is written; nil where `coerceInput` takes the values of literals, too.
    public init(
        coerceInput: @escaping @Sendable (InputValue) throws(CoercionError) -> InputValue,
        coerceLiteral: (@Sendable (Value) throws(CoercionError) -> InputValue)? = nil
    ) {
        self.coerceInput = coerceInput
        self.coerceLiteral = coerceLiteral
    }

    /// Takes any value unchanged: the default of custom scalars.
    public static let any = ScalarCoercion { (value) throws(CoercionError) in value }
}

/// A value does not fit its input type.
public struct CoercionError: Error, Sendable, Equatable {
    /// A sentence for the client.
    public var message: String

    public init(_ message: String) { self.message = message }
}

/// Spec: 3.6 Objects
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

/// Spec: 3.7 Interfaces
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

/// Spec: 3.8 Unions
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

/// Spec: 3.9 Enums
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

    /// The value with a name; nil where there is none.
    public func value(named name: String) -> EnumValue? { valuesByName[name].map { values[$0] } }
}

/// A value of an enum.
public final class EnumValue: Sendable {
    public let name: String
    public let description: String?
    /// nil where the value is not deprecated.
    public let deprecationReason: String?
    public let directives: [Directive]

    init(name: String, description: String?, deprecationReason: String?, directives: [Directive]) {
        self.name = name
        self.description = description
        self.deprecationReason = deprecationReason
        self.directives = directives
    }
}

/// Spec: 3.10 Input Objects
public final class InputObjectType: Sendable {
    public let name: String
    public let description: String?
    /// True where exactly one field must be given.
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

    /// The field with a name; nil where there is none.
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
    /// nil where the field is not deprecated.
    public let deprecationReason: String?
    public let directives: [Directive]
    let costWeight: Double?
    let listSize: ListSize?

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
        costWeight = directives.costWeight
        listSize = ListSize(directives)
    }

    /// The argument with a name; nil where there is none.
    public func argument(named name: String) -> InputValueType? { arguments.first { $0.name == name } }
}

/// An argument, or a field of an input object.
public final class InputValueType: Sendable {
    public let name: String
    public let description: String?
    public let type: TypeReference
    /// The default as it is written, for introspection and printing.
    public let defaultLiteral: Value?
    /// The default, coerced once when the schema is built.
    public let defaultValue: InputValue?
    /// nil where the argument or input field is not deprecated.
    public let deprecationReason: String?
    public let directives: [Directive]
    /// True for an input field that is `@sensitive`: its value is a secret.
    public let isSensitive: Bool
    let costWeight: Double?

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
        costWeight = directives.costWeight
    }

    /// True where a value must be given.
    /// Spec: 5.4.3 Required Arguments
    public var isRequired: Bool { type.isNonNull && defaultLiteral == nil }

    /// The coerced value as resolvers get it. In a sensitive field, each string or null becomes a secret, also as an
    /// item of a list.
    func sealed(_ value: InputValue) -> InputValue {
        guard isSensitive else { return value }
        switch value {
        case .string(let text): return .secret(Secret(text))
        case .null: return .secret(nil)
        case .list(let items): return .list(items.map(sealed))
        default: return value
        }
    }
}

/// The definition of a directive.
/// Spec: 3.13 Directives
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

    /// The argument with a name; nil where there is none.
    public func argument(named name: String) -> InputValueType? { arguments.first { $0.name == name } }
}

private func indicesByName<Element>(_ elements: [Element], name: (Element) -> String) -> [String: Int] {
    Dictionary(elements.indices.map { (name(elements[$0]), $0) }, uniquingKeysWith: { first, _ in first })
}
