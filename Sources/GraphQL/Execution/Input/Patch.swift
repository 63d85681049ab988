/// A field of an update's input. An absent field leaves the value as it is; null clears it.
public enum Patch<Value> {
    case absent
    case null
    case value(Value)

    /// The value after the update of `current`.
    public func applied(to current: Value?) -> Value? {
        switch self {
        case .absent: current
        case .null: nil
        case .value(let value): value
        }
    }
}

extension Patch: Sendable where Value: Sendable {}
extension Patch: Equatable where Value: Equatable {}

extension Patch: InputDecodable where Value: InputDecodable {
    public init(inputValue: InputValue) throws {
        self = inputValue.isNull ? .null : .value(try Value(inputValue: inputValue))
    }

    public static func decodeAbsent(_ name: String) -> Self { .absent }
}
