/// A value of a scalar or enum type, which writes itself into the response's bytes.
/// Spec: 3.5 Scalars, "Result Coercion and Serialization"
public protocol LeafValue: FieldOutput {
    /// Writes exactly one JSON value, or throws and writes whatever: it is taken back.
    func write(to json: inout JSONWriter) throws
    /// Whether the type can be bound to the scalar or enum `type`.
    static func canRepresent(_ type: NamedType) -> Bool
}

/// A leaf's Swift type, and how a row of its column is written.
public struct LeafShape: Sendable {
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

    /// A type of one's own stands for custom scalars, and for what is written as a string.
    public static func canRepresent(_ type: NamedType) -> Bool {
        guard case .scalar(let scalar) = type else { return false }
        return !["Int", "Float", "Boolean"].contains(scalar.name)
    }
}

/// Enums of the schema: the raw value is the enum value's name.
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
