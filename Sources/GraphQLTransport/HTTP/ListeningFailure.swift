import NIOCore

/// The error of a server that cannot listen on its address.
public struct ListeningFailure: Error, Equatable {
    public let host: String
    public let port: Int
    /// errno(3)
    public let errorCode: CInt

    /// Runs `body`, and throws its `IOError` as a failure with the address.
    static func named(_ host: String, _ port: Int, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as IOError {
            throw ListeningFailure(host: host, port: port, errorCode: error.errnoCode)
        }
    }
}
