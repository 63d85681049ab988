/// A value of a scalar or enum type, which writes itself into the bytes of the response. A Swift enum of strings
/// conforms without further code.
/// Spec: 3.5 Scalars, "Result Coercion and Serialization"
public protocol LeafValue: FieldOutput {
    /// Writes exactly one JSON value. If the method throws, the engine removes the bytes that the method has written.
    func write(to json: inout JSONWriter) throws
    /// True where this Swift type can be bound to the schema's scalar or enum `type`.
    static func canRepresent(_ type: NamedType) -> Bool
}

/// The Swift type of a leaf, the schema's types that it can be bound to, and a function that writes one of its values.
public struct LeafShape: Sendable {
    /// Writes the value at a row of a ``Column``: a column has the values of a level, and a row is a position in it.
    public typealias Write = @Sendable (AnyColumn, Int, inout JSONWriter) throws -> Void

    let type: SwiftType
    let canRepresent: @Sendable (NamedType) -> Bool
    let write: Write

    public init(
        type: SwiftType, canRepresent: @escaping @Sendable (NamedType) -> Bool, write: @escaping Write
    ) {
        self.type = type
        self.canRepresent = canRepresent
        self.write = write
    }
}

extension LeafValue {
    @inlinable
    public static var outputShape: OutputShape {
        .leaf(
            LeafShape(type: SwiftType(Self.self), canRepresent: { Self.canRepresent($0) }) { column, row, json in
                try Column<Self>.of(column).values[row].write(to: &json)
            })
    }

    @inlinable
    public static func completeOutput(_ values: [Self]) -> CompletedColumn {
        .values(Column(values), count: values.count)
    }

    @inlinable
    public func writeOutput(to json: inout JSONWriter) throws { try write(to: &json) }

    /// By default a Swift type can be bound to custom scalars, `String` and `ID`, but to no other built-in scalar and
    /// to no enum.
    public static func canRepresent(_ type: NamedType) -> Bool {
        guard case .scalar(let scalar) = type else { return false }
        return !["Int", "Float", "Boolean"].contains(scalar.name)
    }
}

/// A Swift enum of strings is written as its raw value: the name of an enum value, or a string of a scalar.
extension LeafValue where Self: RawRepresentable, RawValue == String {
    @inlinable
    public func write(to json: inout JSONWriter) throws { json.write(rawValue) }

    public static func canRepresent(_ type: NamedType) -> Bool { type.isLeaf }
}

extension LeafValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    public static func canRepresent(_ type: NamedType) -> Bool {
        switch type {
        case .enumeration(let enumeration): allCases.allSatisfy { enumeration.value(named: $0.rawValue) != nil }
        case .scalar: true
        default: false
        }
    }
}
