extension ScalarCoercion {
    /// Spec: 3.5.1 Int
    static let int = ScalarCoercion(
        coerceInput: { (value) throws(CoercionError) in
            switch value {
            case .int(let number): try .int(number.asInt32(shownAs: "\(number)"))
            case .float(let number) where number.isFinite && number == number.rounded(.towardZero):
                try .int(Int(exactly: number).asInt32(shownAs: number.ecmaScriptNotation))
            default: throw CoercionError("Int cannot represent non-integer value: \(value.inspection)")
            }
        },
        coerceLiteral: { (value) throws(CoercionError) in
            guard case .int(let digits) = value.kind else {
                throw CoercionError("Int cannot represent non-integer value: \(value.printed)")
            }
            return try .int(Int(digits).asInt32(shownAs: digits))
        })

    /// Spec: 3.5.2 Float
    static let float = ScalarCoercion(
        coerceInput: { (value) throws(CoercionError) in
            switch value {
            case .int(let number): .float(Double(number))
            case .float(let number) where number.isFinite: value
            default: throw CoercionError("Float cannot represent non numeric value: \(value.inspection)")
            }
        },
        coerceLiteral: { (value) throws(CoercionError) in
            switch value.kind {
            case .int(let digits), .float(let digits):
                if let number = Double(digits), number.isFinite { return .float(number) }
            default: break
            }
            throw CoercionError("Float cannot represent non numeric value: \(value.printed)")
        })

    /// Spec: 3.5.3 String
    static let string = ScalarCoercion(
        coerceInput: { (value) throws(CoercionError) in
            guard case .string = value else {
                throw CoercionError("String cannot represent a non string value: \(value.inspection)")
            }
            return value
        },
        coerceLiteral: { (value) throws(CoercionError) in
            guard case .string(let string) = value.kind else {
                throw CoercionError("String cannot represent a non string value: \(value.printed)")
            }
            return .string(string.value)
        })

    /// Spec: 3.5.4 Boolean
    static let boolean = ScalarCoercion(
        coerceInput: { (value) throws(CoercionError) in
            guard case .boolean = value else {
                throw CoercionError("Boolean cannot represent a non boolean value: \(value.inspection)")
            }
            return value
        },
        coerceLiteral: { (value) throws(CoercionError) in
            guard case .boolean(let boolean) = value.kind else {
                throw CoercionError("Boolean cannot represent a non boolean value: \(value.printed)")
            }
            return .boolean(boolean)
        })

    /// Spec: 3.5.5 ID
    static let id = ScalarCoercion(
        coerceInput: { (value) throws(CoercionError) in
            switch value {
            case .string: return value
            case .int(let number): return .string("\(number)")
            case .float(let number):
                if let integer = Int(exactly: number) { return .string("\(integer)") }
            default: break
            }
            throw CoercionError("ID cannot represent value: \(value.inspection)")
        },
        coerceLiteral: { (value) throws(CoercionError) in
            switch value.kind {
            case .string(let string): .string(string.value)
            case .int(let digits): .string(digits)
            default:
                throw CoercionError("ID cannot represent a non-string and non-integer value: \(value.printed)")
            }
        })
}

extension Int? {
    fileprivate func asInt32(shownAs text: String) throws(CoercionError) -> Int {
        guard let self, Int32(exactly: self) != nil else {
            throw CoercionError("Int cannot represent non 32-bit signed integer value: \(text)")
        }
        return self
    }
}

extension Int {
    fileprivate func asInt32(shownAs text: String) throws(CoercionError) -> Int {
        try Optional(self).asInt32(shownAs: text)
    }
}
