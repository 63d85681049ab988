/// A POST request that delivers one message to a push service.
public struct PushRequest: Sendable {
    public let url: String
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]
}

extension Subscription {
    /// How long the push service keeps a message for a browser that is offline, in seconds.
    private static let timeToLive = 24 * 3600

    /// scheme://host[:port] of the endpoint.
    var origin: String {
        guard let scheme = endpoint.firstRange(of: "://") else { return endpoint }
        let authority = endpoint[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return String(endpoint[..<scheme.upperBound] + authority)
    }

    /// The request for one message (RFC 8030).
    /// - Parameters:
    ///   - payload: the plaintext, at most `ContentEncryption.maximumByteCount` bytes.
    ///   - topic: at most 32 characters of base64url; a newer message replaces an undelivered one of the same topic.
    ///   - now: seconds since 1970.
    public func request(_ payload: [UInt8], topic: String, vapid: VAPID, now: Int64) throws -> PushRequest {
        PushRequest(
            url: endpoint,
            headers: [
                ("Authorization", try vapid.authorization(origin: origin, now: now)),
                ("Content-Encoding", "aes128gcm"), ("Content-Type", "application/octet-stream"),
                ("TTL", "\(Self.timeToLive)"), ("Topic", topic), ("Urgency", "normal"),
            ],
            body: try ContentEncryption.seal(payload, for: self))
    }
}

/// An app on one of Apple's devices.
/// Source: Apple, "Sending notification requests to APNs"
public struct APNsDevice: Sendable {
    /// The device token in hexadecimal digits.
    public let token: String
    /// The app's bundle id.
    public let topic: String
    /// Whether the app is a development build, which uses Apple's sandbox.
    public let isSandbox: Bool

    public init(token: String, topic: String, isSandbox: Bool) {
        self.token = token
        self.topic = topic
        self.isSandbox = isSandbox
    }

    /// The longest payload, in bytes.
    /// Source: Apple, "Generating a remote notification"
    public static let maximumByteCount = 4096

    public var host: String { isSandbox ? "api.sandbox.push.apple.com" : "api.push.apple.com" }

    /// - Parameters:
    ///   - payload: JSON of at most `maximumByteCount` bytes.
    ///   - collapseID: at most 64 bytes; a newer notification replaces a shown one with the same id.
    ///   - authorization: the result of `APNsCredentials.token`.
    ///   - server: an origin to use instead of Apple's, for tests.
    public func request(
        _ payload: [UInt8], collapseID: String, authorization: String, server: String? = nil
    ) -> PushRequest {
        PushRequest(
            url: "\(server ?? "https://\(host)")/3/device/\(token)",
            headers: [
                ("authorization", "bearer \(authorization)"), ("apns-topic", topic), ("apns-push-type", "alert"),
                ("apns-collapse-id", collapseID), ("apns-priority", "10"), ("content-type", "application/json"),
            ],
            body: payload)
    }
}
