/// Coerces values that came as JSON to input types, and collects the values that do not fit.
/// Spec: 3.4.2 Input and Output Types, "Input Coercion" of each kind of type
struct InputCoercion {
    /// A value that does not fit its type.
    struct Mismatch {
        /// The path from the variable to the value.
        let path: [PathElement]
        let value: InputValue
        let message: String
    }

    /// Ends the coercion where the list of mismatches is full.
    struct TooManyMismatches: Error {}

    let schema: Schema
    let maximum: Int
    private(set) var mismatches: [Mismatch] = []
    private var path: [PathElement] = []

    init(schema: Schema, maximum: Int) {
        self.schema = schema
        self.maximum = maximum
    }

    /// The coerced value. It is meaningless if `mismatches` has grown.
    mutating func coerce(_ value: InputValue, _ type: TypeReference) throws(TooManyMismatches) -> InputValue {
        switch type {
        case .nonNull(let nullable):
            guard case .null = value else { return try coerce(value, nullable) }
            try report(value, "Expected non-nullable type \"\(schema.notation(of: type))\" not to be null.")
            return .null
        case .list(let item):
            if case .null = value { return .null }
            guard case .list(let items) = value else { return .list([try coerce(value, item)]) }
            return .list(try coerce(items, item))
        case .named(let index):
            if case .null = value { return .null }
            return try coerce(value, schema[index])
        }
    }

    private mutating func coerce(
        _ items: [InputValue], _ type: TypeReference
    ) throws(TooManyMismatches) -> [InputValue] {
        var coerced: [InputValue] = []
        coerced.reserveCapacity(items.count)
        for (position, item) in items.enumerated() {
            path.append(.index(position))
            coerced.append(try coerce(item, type))
            path.removeLast()
        }
        return coerced
    }

    private mutating func coerce(_ value: InputValue, _ type: NamedType) throws(TooManyMismatches) -> InputValue {
        let coerced: Result<InputValue, CoercionError>
        switch type {
        case .inputObject(let inputObject):
            guard case .object(let object) = value else {
                let shown = inputObject.hasSecrets(in: schema) ? .secret(nil) : value
                try report(shown, "Expected type \"\(inputObject.name)\" to be an object.")
                return value
            }
            return .object(try coerce(object, inputObject))
        case .scalar(let scalar):
            coerced = Result { () throws(CoercionError) in try scalar.coercion.coerceInput(value) }
        case .enumeration(let enumeration):
            coerced = Result { () throws(CoercionError) in try enumeration.coerceInput(value) }
        case .object, .interface, .union:
            coerced = .failure(CoercionError("\"\(type.name)\" cannot be used as an input type."))
        }
        switch coerced {
        case .success(let coerced): return coerced
        case .failure(let error):
            try report(value, error.message)
            return value
        }
    }

    /// Spec: 3.10 Input Objects, "Input Coercion"
    private mutating func coerce(
        _ object: InputObject, _ type: InputObjectType
    ) throws(TooManyMismatches) -> InputObject {
        var coerced = InputObject()
        for field in type.fields {
            if let value = object[field.name] {
                path.append(.key(field.name))
                coerced.fields.append((field.name, field.sealed(try coerce(value, of: field))))
                path.removeLast()
            } else if let defaultValue = field.defaultValue {
                coerced.fields.append((field.name, field.sealed(defaultValue)))
            } else if field.type.isNonNull {
                let notation = schema.notation(of: field.type)
                try report(
                    object, of: type, "Field \"\(field.name)\" of required type \"\(notation)\" was not provided.")
            }
        }
        for field in object.fields where type.fieldsByName[field.name] == nil {
            try report(object, of: type, type.undefinedFieldMessage(field.name))
        }
        if type.isOneOf { try checkOneOf(object, coerced, type) }
        return coerced
    }

    /// If a sensitive value does not fit, the message names only the type. A scalar's own message would show the value.
    private mutating func coerce(
        _ value: InputValue, of field: InputValueType
    ) throws(TooManyMismatches) -> InputValue {
        guard field.isSensitive, !value.isNull else { return try coerce(value, field.type) }
        let known = mismatches.count
        let path = path
        defer {
            if mismatches.count > known {
                mismatches.removeSubrange(known...)
                let message = "Expected value of type \"\(schema.notation(of: field.type))\"."
                mismatches.append(Mismatch(path: path, value: .secret(nil), message: message))
            }
        }
        return try coerce(value, field.type)
    }

    /// Spec: 3.10.1 OneOf Input Objects
    private mutating func checkOneOf(
        _ object: InputObject, _ coerced: InputObject, _ type: InputObjectType
    ) throws(TooManyMismatches) {
        if coerced.fields.count != 1 {
            try report(object, of: type, "Exactly one key must be specified for OneOf type \"\(type.name)\".")
        }
        guard let first = coerced.fields.first, first.value.isNull else { return }
        path.append(.key(first.name))
        try report(.null, "Field \"\(first.name)\" must be non-null.")
        path.removeLast()
    }

    private mutating func report(
        _ object: InputObject, of type: InputObjectType, _ message: String
    ) throws(TooManyMismatches) {
        try report(.object(type.withSealedSecrets(object, in: schema)), message)
    }

    private mutating func report(_ value: InputValue, _ message: String) throws(TooManyMismatches) {
        if mismatches.count >= maximum { throw TooManyMismatches() }
        mismatches.append(Mismatch(path: path, value: value, message: message))
    }
}
