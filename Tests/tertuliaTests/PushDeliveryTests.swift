import Crypto
import GraphQL
import Postgres
import Push
import Testing

@testable import App
@testable import tertulia

@Suite struct PushDeliveryTests {
    private static let notification = UUID(high: 0x019b_7600_0000_7000, low: 0x8000_0000_0000_0801)
    private static let thought = UUID(high: 0x019b_7600_0000_7000, low: 0x8000_0000_0000_0201)

    private let message = message("Ben liked “First”.")

    private static func message(_ text: String) -> PushMessage {
        PushMessage(
            target: .apns(deviceToken: "ab", topic: "dev.tertulia", sandbox: true),
            notificationID: TypeID(.notification, notification), kind: "LIKE", text: text,
            subjectID: TypeID(.thought, thought), unreadCount: 3)
    }

    @Test func tellsABrowser() {
        #expect(
            String(decoding: PushDelivery.webPayload(message), as: UTF8.self) == """
                {"id":"notification_01kdv00000e008000000000201","kind":"LIKE","text":"Ben liked “First”.",\
                "subjectId":"thought_01kdv00000e0080000000000g1","unreadCount":3}
                """)
    }

    @Test func tellsApple() {
        #expect(
            String(decoding: PushDelivery.applePayload(message), as: UTF8.self) == """
                {"aps":{"alert":{"body":"Ben liked “First”."},"badge":3,"sound":"default",\
                "thread-id":"thought_01kdv00000e0080000000000g1"},\
                "id":"notification_01kdv00000e008000000000201","kind":"LIKE","text":"Ben liked “First”.",\
                "subjectId":"thought_01kdv00000e0080000000000g1"}
                """)
    }

    private enum Service: CaseIterable {
        case browser, apple

        var maximum: Int { self == .browser ? ContentEncryption.maximumByteCount : 4096 }

        func payload(_ text: String) -> [UInt8] {
            let message = PushDeliveryTests.message(text)
            return self == .browser ? PushDelivery.webPayload(message) : PushDelivery.applePayload(message)
        }

        /// The text of the message: for Apple first the one that the device shows, then the one for the app.
        func shown(_ text: String) throws -> [String] {
            guard case .object(let fields) = try parseJSON(payload(text)), case .string(let text)? = fields["text"]
            else {
                return []
            }
            guard self == .apple else { return [text] }
            guard case .object(let aps)? = fields["aps"], case .object(let alert)? = aps["alert"],
                case .string(let body)? = alert["body"]
            else { return [] }
            return [body, text]
        }
    }

    /// A text is cut only where it has to be: after the last whole character that fits, however JSON writes it.
    @Test(arguments: [
        String(repeating: "a", count: 5000), String(repeating: "👨‍👩‍👧‍👦", count: 400),
        String(repeating: "\"\\", count: 3000), String(repeating: "\u{1}é", count: 2000),
        String(repeating: "n" + String(repeating: "\u{303}", count: 30), count: 80) + " liked “First”.",
        String(repeating: "漢", count: 2000), "a" + String(repeating: "\u{303}", count: 5000),
    ])
    func fitsIntoAMessage(_ text: String) throws {
        for service in Service.allCases {
            #expect(service.payload(text).count <= service.maximum)
            let shown = try service.shown(text)
            let first = try #require(shown.first)
            #expect(shown.allSatisfy { $0 == first })
            #expect(first.last == "…")
            let kept = Array(first.dropLast())
            #expect(text.starts(with: kept))
            let longer = String(text.prefix(kept.count + 1)) + "…"
            #expect(try service.shown(longer).first != longer)
        }
    }

    @Test func aTextThatJustFitsIsWhole() throws {
        for (service, times) in [(Service.browser, 1), (.apple, 2)] {
            let room = (service.maximum - service.payload("").count) / times
            let text = String(repeating: "a", count: room)
            #expect(try service.shown(text) == Array(repeating: text, count: times))
            let cut = String(repeating: "a", count: room - 3) + "…"
            #expect(try service.shown(text + "a") == Array(repeating: cut, count: times))
        }
    }

    /// The longest name that an account takes and the longest subject, of 59 scalars, as JSON writes them longest.
    @Test func aNotificationFits() throws {
        let name = String(repeating: "\"\u{20D0}" + String(repeating: "\u{303}", count: 6), count: 80)
        #expect(name.utf8.count == InputText.nameBytes)
        let subject = String(repeating: "\u{1}", count: 59) + "…"
        let text = "\(name) and 1000000000 others commented on “\(subject)”."
        #expect(try Service.browser.shown(text) == [text])
        #expect(try Service.apple.shown(text) == [text, text])
    }

    /// RFC 8291, section 4: push services need not take more.
    @Test func isEncryptedInOneRecord() throws {
        let browser = Subscription(
            endpoint: "https://push.example/1", publicKey: P256.KeyAgreement.PrivateKey().publicKey,
            authenticationSecret: [UInt8](repeating: 7, count: 16))
        let longest = Service.browser.payload(String(repeating: "a", count: 5000))
        #expect(try ContentEncryption.seal(longest, for: browser).count == 4096)
    }

    @Test(arguments: [
        (200, "", "sent"), (201, "", "sent"), (404, "", "gone"), (410, "{\"reason\":\"Unregistered\"}", "gone"),
        (400, "{\"reason\":\"BadDeviceToken\"}", "gone"), (400, "{\"reason\":\"BadTopic\"}", "refused"),
        (413, "", "refused"), (302, "", "refused"), (403, "{\"reason\":\"ExpiredProviderToken\"}", "failed"),
        (429, "", "failed"), (500, "", "failed"), (503, "", "failed"),
    ])
    func understands(_ status: Int, _ body: String, _ outcome: String) {
        let answer = PushDelivery.outcome(of: .init(status: status, body: Array(body.utf8)))
        switch answer {
        case .sent: #expect(outcome == "sent")
        case .gone: #expect(outcome == "gone")
        case .failed: #expect(outcome == "failed")
        case .refused: #expect(outcome == "refused")
        }
    }
}
