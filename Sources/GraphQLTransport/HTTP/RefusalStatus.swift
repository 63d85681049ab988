import GraphQL
import NIOHTTP1

/// The status of a response without data, by the code of its first error.
/// GraphQL over HTTP: 6.4.2 application/graphql-response+json
struct RefusalStatus {
    let status: HTTPResponseStatus
    let headers: [(name: String, value: String)]
    private let isMalformed: Bool
    private let isOverload: Bool

    init(_ errors: [GraphQLError]) {
        switch errors.first?.code.map(ErrorCode.init(rawValue:)) {
        case .unauthenticated:
            // RFC 6750, 3 The WWW-Authenticate Response Header Field
            status = .unauthorized
            headers = [("WWW-Authenticate", "Bearer")]
        case .forbidden: (status, headers) = (.forbidden, [])
        case .rateLimited:
            status = .tooManyRequests
            headers = Self.retryAfter(errors)
        case .timeout: (status, headers) = (.serviceUnavailable, [])
        case .unavailable, .overloaded:
            status = .serviceUnavailable
            headers = Self.retryAfter(errors)
        case .internalServerError: (status, headers) = (.internalServerError, [])
        // Apollo's clients look for this error only under the status 200; under another they never send the document.
        case .persistedQueryNotFound, .persistedQueryNotSupported: (status, headers) = (.ok, [])
        default: (status, headers) = (.badRequest, [])
        }
        isMalformed = errors.first?.code == ErrorCode.badRequest.rawValue
        isOverload = errors.first?.code == ErrorCode.overloaded.rawValue
    }

    /// The status for clients of `application/json`: 200 for every well-formed GraphQL request. Only a refusal by
    /// overload keeps its own status, so that proxies and load balancers notice the overload.
    /// GraphQL over HTTP: 6.4.1 application/json
    var legacyStatus: HTTPResponseStatus { isMalformed ? .badRequest : isOverload ? status : .ok }

    /// The header with the longest wait that the errors ask for, in whole seconds; none where they ask for no wait.
    /// RFC 9110, 10.2.3 Retry-After
    static func retryAfter(_ errors: [GraphQLError]) -> [(name: String, value: String)] {
        let seconds = errors.compactMap { error -> Int? in
            switch error.extensions["retryAfter"] {
            case .int(let seconds): Int(seconds)
            case .float(let seconds) where seconds.isFinite && seconds < 1e6: Int(seconds.rounded(.up))
            default: nil
            }
        }
        return seconds.max().map { [("Retry-After", "\(max(1, $0))")] } ?? []
    }
}
