/// A Swift type whose values are objects of the schema. Several object types may be bound to one Swift type; a value's
/// object type is then the type that the schema gives the field.
public protocol ObjectValue: FieldOutput {}

/// A Swift type that an interface or union is bound to, such as an enum with a case for each possible type.
public protocol AbstractValue: FieldOutput {}

extension ObjectValue {
    public static var outputShape: OutputShape { .object(SwiftType(Self.self)) }

    @inlinable
    public static func completeOutput(_ values: [Self]) -> CompletedColumn {
        .values(Column(values), count: values.count)
    }

    /// Never reached: an object is not bound to a leaf type.
    public func writeOutput(to json: inout JSONWriter) { json.writeNull() }
}

extension AbstractValue {
    public static var outputShape: OutputShape { .abstract(SwiftType(Self.self)) }

    @inlinable
    public static func completeOutput(_ values: [Self]) -> CompletedColumn {
        .values(Column(values), count: values.count)
    }

    /// Never reached: an abstract value is not bound to a leaf type.
    public func writeOutput(to json: inout JSONWriter) { json.writeNull() }
}

/// The value of the root operation types. It has no properties, because root fields are resolved from the request's
/// context.
public struct Root: ObjectValue {
    public init() {}
}
