/// A five-character error code. PostgreSQL's manual, appendix A.
public struct SQLState: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private let code: UInt64

    public init(stringLiteral text: StaticString) {
        code = text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt64($1) } }
    }

    init(cString: UnsafePointer<CChar>?) {
        var code: UInt64 = 0
        if let cString {
            for offset in 0..<5 where cString[offset] != 0 {
                code = code << 8 | UInt64(UInt8(bitPattern: cString[offset]))
            }
        }
        self.code = code
    }

    public var description: String {
        String(decoding: (0..<5).map { UInt8(truncatingIfNeeded: code >> UInt64(32 - 8 * $0)) }, as: UTF8.self)
    }

    /// True where the code begins with these two characters.
    public func isInClass(_ name: StaticString) -> Bool {
        name.withUTF8Buffer { $0.count == 2 && code >> 24 == UInt64($0[0]) << 8 | UInt64($0[1]) }
    }

    public static let featureNotSupported: SQLState = "0A000"
    public static let foreignKeyViolation: SQLState = "23503"
    public static let checkViolation: SQLState = "23514"
    public static let invalidSQLStatementName: SQLState = "26000"
    public static let serializationFailure: SQLState = "40001"
    public static let deadlockDetected: SQLState = "40P01"
    public static let insufficientPrivilege: SQLState = "42501"
    public static let lockNotAvailable: SQLState = "55P03"
    public static let queryCanceled: SQLState = "57014"
}
