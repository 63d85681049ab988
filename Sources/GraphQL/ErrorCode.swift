/// The `extensions.code` of an error, which clients may rely on. The enum `ErrorCode` of schema/base.graphql describes
/// each code.
///
/// A schema's resolvers may add codes of their own with `ErrorCode(rawValue:)`.
public struct ErrorCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    // Errors of documents and requests.
    public static let parseFailed = ErrorCode(rawValue: "GRAPHQL_PARSE_FAILED")
    public static let validationFailed = ErrorCode(rawValue: "GRAPHQL_VALIDATION_FAILED")
    public static let badRequest = ErrorCode(rawValue: "BAD_REQUEST")
    public static let operationResolutionFailed = ErrorCode(rawValue: "OPERATION_RESOLUTION_FAILED")
    public static let badUserInput = ErrorCode(rawValue: "BAD_USER_INPUT")
    public static let persistedQueryNotFound = ErrorCode(rawValue: "PERSISTED_QUERY_NOT_FOUND")
    public static let persistedQueryNotSupported = ErrorCode(rawValue: "PERSISTED_QUERY_NOT_SUPPORTED")
    public static let documentNotTrusted = ErrorCode(rawValue: "DOCUMENT_NOT_TRUSTED")
    public static let queryTooComplex = ErrorCode(rawValue: "QUERY_TOO_COMPLEX")

    // Errors of the client and its rights.
    public static let unauthenticated = ErrorCode(rawValue: "UNAUTHENTICATED")
    public static let forbidden = ErrorCode(rawValue: "FORBIDDEN")
    public static let notFound = ErrorCode(rawValue: "NOT_FOUND")
    public static let rateLimited = ErrorCode(rawValue: "RATE_LIMITED")
    public static let cursorExpired = ErrorCode(rawValue: "CURSOR_EXPIRED")

    // Errors of the server.
    public static let timeout = ErrorCode(rawValue: "TIMEOUT")
    public static let unavailable = ErrorCode(rawValue: "UNAVAILABLE")
    public static let overloaded = ErrorCode(rawValue: "OVERLOADED")
    public static let internalServerError = ErrorCode(rawValue: "INTERNAL_SERVER_ERROR")

    /// Every code above.
    public static let all: [ErrorCode] = [
        .parseFailed, .validationFailed, .badRequest, .operationResolutionFailed, .badUserInput,
        .persistedQueryNotFound, .persistedQueryNotSupported, .documentNotTrusted, .queryTooComplex, .unauthenticated,
        .forbidden, .notFound, .rateLimited, .cursorExpired, .timeout, .unavailable, .overloaded, .internalServerError,
    ]
}
