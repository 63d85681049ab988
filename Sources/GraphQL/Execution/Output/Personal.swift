/// A value of a `SharedObject` that differs by viewer. Only the engine reads the value. A field that returns a
/// `Personal` is personal by its type, also within optionals and arrays.
public struct Personal<Value: FieldOutput>: FieldOutput {
    @usableFromInline
    let value: Value

    @inlinable
    public init(_ value: Value) { self.value = value }

    public static var outputShape: OutputShape { .personal(Value.outputShape) }

    @inlinable
    public static func completeOutput(_ values: [Self]) -> CompletedColumn { Value.completeOutput(values.map(\.value)) }

    @inlinable
    public func writeOutput(to json: inout JSONWriter) throws { try value.writeOutput(to: &json) }
}
