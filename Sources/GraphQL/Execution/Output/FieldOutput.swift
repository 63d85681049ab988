/// A Swift type that a resolver may return: a ``LeafValue``, an ``ObjectValue``, an ``AbstractValue``, or one of these
/// in optionals, arrays and ``Personal``. A `Result` has the shape of its success; its failure is an error at that one
/// position.
///
/// A type conforms to one of the three protocols. The engine implements the requirements of `FieldOutput` for them.
public protocol FieldOutput: Sendable {
    /// The shape that is compared with the field's type in the schema.
    static var outputShape: OutputShape { get }
    /// Flattens the values of a level.
    /// Spec: 6.4.3 Value Completion
    static func completeOutput(_ values: [Self]) -> CompletedColumn
    /// Writes the value as JSON. Only called for leafs, bare or in optionals, arrays, `Result` or `Personal`.
    func writeOutput(to json: inout JSONWriter) throws
}

/// The shape of a Swift type, compared with the type of a field when the schema is bound.
public indirect enum OutputShape: Sendable {
    case leaf(LeafShape)
    case object(SwiftType)
    case abstract(SwiftType)
    case optional(OutputShape)
    case list(OutputShape)
    case personal(OutputShape)

    var isPersonal: Bool {
        switch self {
        case .leaf, .object, .abstract: false
        case .optional(let shape), .list(let shape): shape.isPersonal
        case .personal: true
        }
    }
}

/// The identity and the name of a Swift type.
public struct SwiftType: Hashable, Sendable, CustomStringConvertible {
    let identifier: ObjectIdentifier
    public let description: String

    public init<T>(_ type: T.Type) {
        identifier = ObjectIdentifier(type)
        description = "\(type)"
    }

    public static func == (left: Self, right: Self) -> Bool { left.identifier == right.identifier }

    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension Optional: FieldOutput where Wrapped: FieldOutput {
    public static var outputShape: OutputShape { .optional(Wrapped.outputShape) }

    @inlinable
    public static func completeOutput(_ values: [Self]) -> CompletedColumn {
        var present: [Wrapped] = []
        present.reserveCapacity(values.count)
        var rows: [Int32] = []
        rows.reserveCapacity(values.count)
        for value in values {
            if let value {
                rows.append(Int32(truncatingIfNeeded: present.count))
                present.append(value)
            } else {
                rows.append(-1)
            }
        }
        return .optional(rows: rows, Wrapped.completeOutput(present))
    }

    @inlinable
    public func writeOutput(to json: inout JSONWriter) throws {
        if let self { try self.writeOutput(to: &json) } else { json.writeNull() }
    }
}

extension Array: FieldOutput where Element: FieldOutput {
    public static var outputShape: OutputShape { .list(Element.outputShape) }

    @inlinable
    public static func completeOutput(_ values: [Self]) -> CompletedColumn {
        if values.count == 1 {
            let count = Int32(truncatingIfNeeded: values[0].count)
            return .list(offsets: [0, count], Element.completeOutput(values[0]))
        }
        var offsets: [Int32] = []
        offsets.reserveCapacity(values.count + 1)
        offsets.append(0)
        var count = 0
        for value in values {
            count += value.count
            offsets.append(Int32(truncatingIfNeeded: count))
        }
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for value in values { elements.append(contentsOf: value) }
        return .list(offsets: offsets, Element.completeOutput(elements))
    }

    @inlinable
    public func writeOutput(to json: inout JSONWriter) throws {
        json.append(UInt8(ascii: "["))
        var isFirst = true
        for element in self {
            if !isFirst { json.append(UInt8(ascii: ",")) }
            isFirst = false
            try element.writeOutput(to: &json)
        }
        json.append(UInt8(ascii: "]"))
    }
}

extension Result: FieldOutput where Success: FieldOutput, Failure == any Error {
    public static var outputShape: OutputShape { Success.outputShape }

    @inlinable
    public static func completeOutput(_ values: [Self]) -> CompletedColumn {
        var successes: [Success] = []
        successes.reserveCapacity(values.count)
        var errors: [any Error] = []
        var rows: [Int32] = []
        rows.reserveCapacity(values.count)
        for value in values {
            switch value {
            case .success(let success):
                rows.append(Int32(truncatingIfNeeded: successes.count))
                successes.append(success)
            case .failure(let error):
                errors.append(error)
                rows.append(-Int32(truncatingIfNeeded: errors.count))
            }
        }
        let completed = Success.completeOutput(successes)
        return errors.isEmpty ? completed : .failing(rows: rows, errors: errors, completed)
    }

    @inlinable
    public func writeOutput(to json: inout JSONWriter) throws {
        try get().writeOutput(to: &json)
    }
}
