import NIOHTTP1

/// The error of a multipart request that is refused.
struct MultipartError: Error, Equatable {
    let status: HTTPResponseStatus
    let message: String

    /// 400
    static func malformed(_ message: String) -> MultipartError {
        MultipartError(status: .badRequest, message: message)
    }

    /// 413
    static func tooLarge(_ message: String) -> MultipartError {
        MultipartError(status: .payloadTooLarge, message: message)
    }
}
