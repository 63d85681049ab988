/// A Swift type that backs one or more object types of the schema: the SDL's type of a field decides which.
public protocol ObjectValue: FieldOutput {}

/// A Swift type, mostly an enum, whose values are each of one object type: what an interface or union is bound to.
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

/// The value of a root operation type that has none of its own.
public struct Root: ObjectValue {
    public init() {}
}
