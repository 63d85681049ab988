/// The value of `__Schema`. The values of the other introspection types are parts of a schema. Those that refer to
/// types hold the schema too.
/// Spec: 4.2 Schema Introspection
struct IntrospectedSchema: ObjectValue {
    let schema: Schema

    func type(_ index: TypeIndex) -> IntrospectedType { IntrospectedType(schema: schema, reference: .named(index)) }

    func rootType(for operation: OperationType) -> IntrospectedType? { schema.rootType(for: operation).map(type) }
}

/// The value of `__Type`: a named type, or a list or non-null wrapper around another type.
struct IntrospectedType: ObjectValue {
    let schema: Schema
    let reference: TypeReference

    /// nil for wrappers.
    var named: NamedType? { if case .named(let index) = reference { schema[index] } else { nil } }

    private func type(_ index: TypeIndex) -> IntrospectedType {
        IntrospectedType(schema: schema, reference: .named(index))
    }

    var kind: TypeKind {
        switch reference {
        case .list: .list
        case .nonNull: .nonNull
        case .named(let index): TypeKind(schema[index])
        }
    }

    var ofType: IntrospectedType? {
        switch reference {
        case .named: nil
        case .list(let type), .nonNull(let type): IntrospectedType(schema: schema, reference: type)
        }
    }

    var specifiedByURL: String? { if case .scalar(let scalar) = named { scalar.specifiedByURL } else { nil } }

    var isOneOf: Bool? { if case .inputObject(let type) = named { type.isOneOf } else { nil } }

    func fields(includeDeprecated: Bool) -> [IntrospectedField]? {
        switch named {
        case .object, .interface:
            named?.fields.filter { includeDeprecated || $0.deprecationReason == nil }
                .map { IntrospectedField(schema: schema, field: $0) }
        case .scalar, .union, .enumeration, .inputObject, nil: nil
        }
    }

    var interfaces: [IntrospectedType]? {
        switch named {
        case .object(let object): object.interfaces.map(type)
        case .interface(let interface): interface.interfaces.map(type)
        case .scalar, .union, .enumeration, .inputObject, nil: nil
        }
    }

    var possibleTypes: [IntrospectedType]? {
        guard case .named(let index) = reference, schema[index].isAbstract else { return nil }
        return schema.possibleTypes[index.rawValue].map(type)
    }

    func enumValues(includeDeprecated: Bool) -> [IntrospectedEnumValue]? {
        guard case .enumeration(let enumeration) = named else { return nil }
        return enumeration.values.filter { includeDeprecated || $0.deprecationReason == nil }
            .map(IntrospectedEnumValue.init)
    }

    func inputFields(includeDeprecated: Bool) -> [IntrospectedInputValue]? {
        guard case .inputObject(let inputObject) = named else { return nil }
        return inputObject.fields.introspected(of: schema, includeDeprecated: includeDeprecated)
    }
}

struct IntrospectedField: ObjectValue {
    let schema: Schema
    let field: FieldType

    var type: IntrospectedType { IntrospectedType(schema: schema, reference: field.type) }
}

/// The value of `__InputValue`: an argument or an input field.
struct IntrospectedInputValue: ObjectValue {
    let schema: Schema
    let input: InputValueType

    var type: IntrospectedType { IntrospectedType(schema: schema, reference: input.type) }
}

struct IntrospectedEnumValue: ObjectValue {
    let value: EnumValue
}

struct IntrospectedDirective: ObjectValue {
    let schema: Schema
    let directive: DirectiveType
}

extension [InputValueType] {
    func introspected(of schema: Schema, includeDeprecated: Bool) -> [IntrospectedInputValue] {
        filter { includeDeprecated || $0.deprecationReason == nil }
            .map { IntrospectedInputValue(schema: schema, input: $0) }
    }
}

/// `__TypeKind`
enum TypeKind: String, CaseIterable, LeafValue {
    case scalar = "SCALAR", object = "OBJECT", interface = "INTERFACE", union = "UNION", enumeration = "ENUM"
    case inputObject = "INPUT_OBJECT", list = "LIST", nonNull = "NON_NULL"

    init(_ type: NamedType) {
        self =
            switch type {
            case .scalar: .scalar
            case .object: .object
            case .interface: .interface
            case .union: .union
            case .enumeration: .enumeration
            case .inputObject: .inputObject
            }
    }
}

extension DirectiveLocation: LeafValue {}
