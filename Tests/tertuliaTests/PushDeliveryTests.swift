import Postgres
import Push
import Testing

@testable import App
@testable import tertulia

@Suite struct PushDeliveryTests {
    private static let notification = UUID(high: 0x019b_7600_0000_7000, low: 0x8000_0000_0000_0801)
    private static let thought = UUID(high: 0x019b_7600_0000_7000, low: 0x8000_0000_0000_0201)

    private let message = PushMessage(
        target: .apns(deviceToken: "ab", topic: "dev.tertulia", sandbox: true),
        notificationID: TypeID(.notification, notification), kind: "LIKE", text: "Ben liked “First”.",
        subjectID: TypeID(.thought, thought), unreadCount: 3)

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
