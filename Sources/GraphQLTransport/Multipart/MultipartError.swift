import NIOHTTP1

/// The error of a multipart request that is refused.
struct MultipartError: Error, Equatable {
    let status: HTTPResponseStatus
    let message: String

    /// The error of a malformed request, with the status 400.
    static func malformed(_ message: String) -> MultipartError {
        MultipartError(status: .badRequest, message: message)
    }

    /// The error of a request beyond a limit, with the status 413.
    static func tooLarge(_ message: String) -> MultipartError {
        MultipartError(status: .payloadTooLarge, message: message)
    }
}
