import App
import GraphQL
import Postgres
import Push

/// Turns push messages into requests to push services, and the services' responses into outcomes.
struct PushDelivery: Sendable {
    private let client: PushClient
    private let vapid: VAPID
    private let apns: APNsTokens?
    private let publicURL: String
    private let now: @Sendable () -> Timestamp

    init(_ environment: App.Environment, apns: APNsCredentials?, client: PushClient) {
        self.client = client
        vapid = VAPID(key: environment.applicationServerKey, contact: environment.publicURL)
        self.apns = apns.map(APNsTokens.init)
        publicURL = environment.publicURL
        now = environment.now
    }

    func send(_ message: PushMessage) async -> PushOutcome {
        do {
            guard let request = try await request(for: message) else {
                return .refused("no credentials for this transport")
            }
            return Self.outcome(of: try await client.send(request))
        } catch PushError.privateAddress, PushError.notAnAddress {
            return .gone
        } catch {
            return .failed("\(error)")
        }
    }

    private func request(for message: PushMessage) async throws -> PushRequest? {
        let seconds = now().unixMilliseconds / 1000
        switch message.target {
        case .webPush(let endpoint, let p256dh, let auth):
            return try Subscription(endpoint: endpoint, p256dh: p256dh, auth: auth)?
                .request(
                    Self.webPayload(message), topic: message.notificationID.collapseKey, vapid: vapid, now: seconds)
        case .apns(let token, let topic, let isSandbox):
            guard let apns else { return nil }
            return APNsDevice(token: token, topic: topic, isSandbox: isSandbox)
                .request(
                    Self.applePayload(message), collapseID: message.notificationID.description,
                    authorization: try await apns.token(now: seconds))
        }
    }

    /// RFC 8030, section 5, and Apple's "Handling notification responses from APNs".
    static func outcome(of response: PushClient.Response) -> PushOutcome {
        let reason = "\(response.status) \(String(decoding: response.body.prefix(100), as: UTF8.self))"
        return switch response.status {
        case 200..<300: .sent
        case 404, 410: .gone
        // Apple's responses to tokens that were never valid or belong to another app.
        case 400 where reason.contains("BadDeviceToken") || reason.contains("DeviceTokenNotForTopic"): .gone
        // Temporary: too many requests, or credentials that are renewed meanwhile.
        case 401, 403, 408, 425, 429, 500...: .failed(reason)
        default: .refused(reason)
        }
    }

    /// JSON of at most `ContentEncryption.maximumByteCount` bytes.
    static func webPayload(_ message: PushMessage) -> [UInt8] {
        payload(of: message.text, maximum: ContentEncryption.maximumByteCount) { text in
            fields(of: message, text) + [(name: "unreadCount", value: .int(message.unreadCount))]
        }
    }

    /// Source: Apple, "Generating a remote notification"
    static func applePayload(_ message: PushMessage) -> [UInt8] {
        payload(of: message.text, maximum: APNsDevice.maximumByteCount) { text in
            let alert = InputObject([(name: "body", value: .string(text))])
            let aps = InputObject([
                (name: "alert", value: .object(alert)), (name: "badge", value: .int(message.unreadCount)),
                (name: "sound", value: .string("default")),
                (name: "thread-id", value: .string(message.subjectID?.description ?? message.kind)),
            ])
            return [(name: "aps", value: .object(aps))] + fields(of: message, text)
        }
    }

    private static func fields(of message: PushMessage, _ text: String) -> [(name: String, value: InputValue)] {
        [
            (name: "id", value: .string(message.notificationID.description)),
            (name: "kind", value: .string(message.kind)), (name: "text", value: .string(text)),
            (name: "subjectId", value: message.subjectID.map { .string($0.description) } ?? .null),
        ]
    }

    /// JSON of at most `maximum` bytes. A text that does not fit is cut after a whole character, and ends with an ellipsis.
    /// - Parameter fields: returns the fields of the message for a text.
    private static func payload(
        of text: String, maximum: Int, _ fields: (String) -> [(name: String, value: InputValue)]
    ) -> [UInt8] {
        let whole = json(fields(text))
        guard whole.count > maximum else { return whole }
        let characters = Array(text)
        func cut(_ count: Int) -> [UInt8] { json(fields(String(characters[..<count]) + "…")) }
        // The text fits with `fitting` characters, and does not fit with `excessive`.
        var (fitting, excessive) = (0, characters.count)
        while excessive - fitting > 1 {
            let middle = (fitting + excessive) / 2
            if cut(middle).count <= maximum { fitting = middle } else { excessive = middle }
        }
        return cut(fitting)
    }

    private static func json(_ fields: [(name: String, value: InputValue)]) -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.write(InputObject(fields))
        return json.bytes
    }
}

extension TypeID {
    /// RFC 8030, section 5.4: a topic has at most 32 characters. The suffix of a TypeID has 26.
    fileprivate var collapseKey: String { String(description.suffix(26)) }
}

/// Keeps the token for APNs for 45 minutes: Apple refuses tokens that are older than an hour, and senders that make new
/// ones more often than every 20 minutes.
private actor APNsTokens {
    private static let lifetime: Int64 = 45 * 60
    private let credentials: APNsCredentials
    private var current: (token: String, at: Int64)?

    init(_ credentials: APNsCredentials) { self.credentials = credentials }

    func token(now: Int64) throws -> String {
        if let current, now - current.at < Self.lifetime { return current.token }
        let token = try credentials.token(now: now)
        current = (token, now)
        return token
    }
}
