/// Spec: 3.5 Scalars, "Built-in Scalars"
private let builtInScalars: Set<String> = ["Int", "Float", "String", "Boolean", "ID"]

private func isScalar(_ type: NamedType, of names: Set<String>) -> Bool {
    guard case .scalar(let scalar) = type else { return false }
    return names.contains(scalar.name) || !builtInScalars.contains(scalar.name)
}

extension String: LeafValue {
    @inlinable
    public func write(to json: inout JSONWriter) { json.write(self) }

    public static func canRepresent(_ type: NamedType) -> Bool { isScalar(type, of: ["String", "ID"]) }
}

extension Bool: LeafValue {
    @inlinable
    public func write(to json: inout JSONWriter) { json.write(self) }

    public static func canRepresent(_ type: NamedType) -> Bool { isScalar(type, of: ["Boolean"]) }
}

extension Int32: LeafValue {
    @inlinable
    public func write(to json: inout JSONWriter) { json.write(Int(self)) }

    public static func canRepresent(_ type: NamedType) -> Bool { isScalar(type, of: ["Int", "Float"]) }
}

extension Int: LeafValue {
    /// Spec: 3.5.1 Int, "a signed 32-bit numeric non-fractional value"
    @inlinable
    public func write(to json: inout JSONWriter) throws {
        guard Int32(exactly: self) != nil else { throw LeafError.beyondInt32(self) }
        json.write(self)
    }

    public static func canRepresent(_ type: NamedType) -> Bool { isScalar(type, of: ["Int", "Float"]) }
}

extension Double: LeafValue {
    /// Spec: 3.5.2 Float, "Non-finite floating-point internal values (NaN and Infinity) cannot be coerced to Float"
    @inlinable
    public func write(to json: inout JSONWriter) throws {
        guard isFinite else { throw LeafError.notFinite }
        json.write(self)
    }

    public static func canRepresent(_ type: NamedType) -> Bool { isScalar(type, of: ["Float"]) }
}

/// A resolver's value is outside its scalar's range. This is a bug in the schema's implementation; the error is masked
/// like any other.
public enum LeafError: Error, Equatable {
    /// The scalar `Int` has 32 bits.
    case beyondInt32(Int)
    /// JSON and the scalar `Float` have no infinities and no NaN.
    case notFinite
}
