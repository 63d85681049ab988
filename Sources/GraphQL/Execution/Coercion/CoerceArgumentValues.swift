/// A required argument without a value, or an argument whose value does not fit its type.
public struct ArgumentError: Error, Sendable, Equatable {
    /// A sentence for the client.
    public let message: String
    /// The place of the argument's value; nil where the argument is absent, so that the error belongs to the field or
    /// directive.
    public let location: Location?
}

/// Coerces the arguments of a field or directive.
///
/// - Parameters:
///   - schema: the schema that defines the types.
///   - definitions: the arguments that the field or directive takes.
///   - arguments: the arguments as the document has them.
///   - variables: coerced values by name, from ``coerceVariableValues(_:_:_:source:maximumErrors:)``.
/// - Returns: values in the order of the definitions; an argument without a value and without a default is absent.
/// - Throws: the error of the first argument that cannot be coerced.
/// Spec: 6.4.1 Coercing Field Arguments
public func coerceArgumentValues(
    _ schema: Schema, _ definitions: [InputValueType], _ arguments: [Argument], _ variables: [String: InputValue]
) throws(ArgumentError) -> InputObject {
    var coerced = InputObject()
    for definition in definitions {
        if let value = try coerceArgumentValue(schema, definition, arguments, variables) {
            coerced.fields.append((definition.name, value))
        }
    }
    return coerced
}

private func coerceArgumentValue(
    _ schema: Schema, _ definition: InputValueType, _ arguments: [Argument], _ variables: [String: InputValue]
) throws(ArgumentError) -> InputValue? {
    let type = definition.type
    var subject: String { "Argument \"\(definition.name)\"" }
    var notation: String { schema.notation(of: type) }
    guard let literal = arguments.first(where: { $0.name.value == definition.name })?.value else {
        guard definition.defaultValue == nil, type.isNonNull else { return definition.defaultValue }
        throw ArgumentError(
            message: "\(subject) of required type \"\(notation)\" was not provided.", location: nil)
    }
    var isNull = if case .null = literal.kind { true } else { false }
    if case .variable(let name) = literal.kind {
        guard let value = variables[name] else {
            guard definition.defaultValue == nil, type.isNonNull else { return definition.defaultValue }
            throw ArgumentError(
                message: "\(subject) of required type \"\(notation)\" was provided the variable \"$\(name)\" "
                    + "which was not provided a runtime value.", location: literal.location)
        }
        isNull = value == .null
    }
    if isNull, type.isNonNull {
        throw ArgumentError(
            message: "\(subject) of non-null type \"\(notation)\" must not be null.", location: literal.location)
    }
    guard let value = valueFromAST(literal, type, variables, in: schema) else {
        // A secret may stand beside the part that does not fit.
        let hasSecrets =
            if case .inputObject(let object) = schema[type.namedType] {
                object.hasSecrets(in: schema)
            } else {
                false
            }
        let told = hasSecrets ? "an invalid value" : "invalid value \(literal.printed)"
        throw ArgumentError(message: "\(subject) has \(told).", location: literal.location)
    }
    return value
}

/// The coerced value of a literal that may contain variables; nil where it does not fit the type.
/// Spec: 3.4.2 Input and Output Types, "Input Coercion" of each kind of type
public func valueFromAST(
    _ value: Value, _ type: TypeReference, _ variables: [String: InputValue] = [:], in schema: Schema
) -> InputValue? {
    try? LiteralCoercion(schema: schema, variables: variables).coerce(value, type)
}
