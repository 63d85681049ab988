extension Int: InputDecodable {
    public init(inputValue: InputValue) throws {
        guard case .int(let value) = inputValue else { throw Self.mismatch }
        self = value
    }
}

extension Double: InputDecodable {
    public init(inputValue: InputValue) throws {
        switch inputValue {
        case .float(let value): self = value
        case .int(let value): self = Double(value)
        default: throw Self.mismatch
        }
    }
}

extension String: InputDecodable {
    public init(inputValue: InputValue) throws {
        guard case .string(let value) = inputValue else { throw Self.mismatch }
        self = value
    }
}

extension Bool: InputDecodable {
    public init(inputValue: InputValue) throws {
        guard case .boolean(let value) = inputValue else { throw Self.mismatch }
        self = value
    }
}

extension InputValue: InputDecodable {
    public init(inputValue: InputValue) { self = inputValue }
}

extension InputObject: InputObjectDecodable {
    public init(input: InputObject) { self = input }
}
