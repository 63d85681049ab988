/// Coerces a request's variables to the types that its operation declares.
///
/// - Parameters:
///   - schema: the schema that defines the types.
///   - definitions: the variables that the operation defines.
///   - inputs: the variables of the request, as JSON. An absent variable is not the same as a variable that is null.
///   - source: the text of the document, for the places of errors.
///   - maximumErrors: the largest number of errors in the answer, at least 1.
/// - Throws: at most `maximumErrors` errors with code `BAD_USER_INPUT`; where there were more, the last one says so.
/// - Returns: values by name; a variable without a value and without a default is absent.
/// Spec: 6.1.2 Coercing Variable Values
public func coerceVariableValues(
    _ schema: Schema, _ definitions: [VariableDefinition], _ inputs: InputObject, source: Source,
    maximumErrors: Int = 50
) throws(RequestError) -> [String: InputValue] {
    if definitions.isEmpty { return [:] }
    var coercion = VariableCoercion(schema: schema, source: source, maximumErrors: maximumErrors)
    do {
        for definition in definitions { try coercion.coerce(definition, inputs) }
    } catch {
        let message = "Too many errors processing variables, error limit reached. Execution aborted."
        let notice = GraphQLError(message, code: .badUserInput)
        throw RequestError(coercion.errors.prefix(coercion.maximumErrors - 1) + [notice])
    }
    if !coercion.errors.isEmpty { throw RequestError(coercion.errors) }
    return coercion.values
}

private struct VariableCoercion {
    let schema: Schema
    let source: Source
    let maximumErrors: Int
    var values: [String: InputValue] = [:]
    var errors: [GraphQLError] = []

    init(schema: Schema, source: Source, maximumErrors: Int) {
        self.schema = schema
        self.source = source
        self.maximumErrors = max(1, maximumErrors)
    }

    mutating func coerce(
        _ definition: VariableDefinition, _ inputs: InputObject
    ) throws(InputCoercion.TooManyMismatches) {
        let name = definition.name.value
        guard let type = schema.typeReference(for: definition.type), schema[type.namedType].isInput else {
            try report(
                "Variable \"$\(name)\" expected value of type \"\(definition.type.printed)\" "
                    + "which cannot be used as an input type.", at: definition.type.location)
            return
        }
        guard let input = inputs[name] else {
            try takeDefault(of: definition, type)
            return
        }
        if type.isNonNull, input == .null {
            try report(
                "Variable \"$\(name)\" of non-null type \"\(schema.notation(of: type))\" must not be null.",
                at: definition.location)
            return
        }
        try coerce(input, type, of: definition)
    }

    private mutating func takeDefault(
        of definition: VariableDefinition, _ type: TypeReference
    ) throws(InputCoercion.TooManyMismatches) {
        let name = definition.name.value
        if let literal = definition.defaultValue {
            // Validation refuses a default that does not fit (5.6.1 Values of Correct Type).
            values[name] = valueFromAST(literal, type, in: schema)
        } else if type.isNonNull {
            try report(
                "Variable \"$\(name)\" of required type \"\(schema.notation(of: type))\" was not provided.",
                at: definition.location)
        }
    }

    private mutating func coerce(
        _ input: InputValue, _ type: TypeReference, of definition: VariableDefinition
    ) throws(InputCoercion.TooManyMismatches) {
        let name = definition.name.value
        var coercion = InputCoercion(schema: schema, maximum: maximumErrors - errors.count)
        defer {
            for mismatch in coercion.mismatches {
                let place = mismatch.path.isEmpty ? "" : " at \"\(name)\(mismatch.path.notation)\""
                append(
                    "Variable \"$\(name)\" got invalid value \(mismatch.value.inspection)\(place); \(mismatch.message)",
                    at: definition.location)
            }
        }
        values[name] = try coercion.coerce(input, type)
    }

    private mutating func report(_ message: String, at location: Location) throws(InputCoercion.TooManyMismatches) {
        if errors.count >= maximumErrors { throw InputCoercion.TooManyMismatches() }
        append(message, at: location)
    }

    private mutating func append(_ message: String, at location: Location) {
        errors.append(GraphQLError(message, code: .badUserInput, locations: [source.location(of: location)]))
    }
}

extension [PathElement] {
    /// The path as messages show it, such as `.items[0].name`.
    fileprivate var notation: String {
        map { element in
            switch element {
            case .key(let key): ".\(key)"
            case .index(let index): "[\(index)]"
            }
        }.joined()
    }
}
