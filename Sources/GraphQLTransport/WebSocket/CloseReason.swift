/// The reason in a close frame: a code and a text of at most 123 bytes.
/// graphql-transport-ws; RFC 6455, 7.4 Status Codes and 5.5 Control Frames
struct CloseReason: Equatable, Sendable {
    let code: UInt16
    let text: String

    init(_ code: UInt16, _ text: String) {
        self.code = code
        // The cut must not be in the middle of a character.
        var end = text.utf8.index(text.startIndex, offsetBy: 123, limitedBy: text.endIndex) ?? text.endIndex
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        self.text = String(text[..<end])
    }

    static let normalClosure = CloseReason(1000, "")
    static let goingAway = CloseReason(1001, "Going away")
    static let notUTF8 = CloseReason(1007, "Text is not UTF-8")
    static let messageTooBig = CloseReason(1009, "Message too big")
    static let tryAgainLater = CloseReason(1013, "Try again later")
    static func protocolError(_ text: String) -> CloseReason { CloseReason(1002, text) }

    static func invalidMessage(_ text: String) -> CloseReason { CloseReason(4400, text) }
    static let unauthorized = CloseReason(4401, "Unauthorized")
    static let forbidden = CloseReason(4403, "Forbidden")
    static let sessionEnded = CloseReason(4403, "Forbidden: the session has ended")
    static let subprotocolNotAcceptable = CloseReason(4406, "Subprotocol not acceptable")
    static let connectionInitialisationTimeout = CloseReason(4408, "Connection initialisation timeout")
    static func subscriberAlreadyExists(_ id: String) -> CloseReason {
        CloseReason(4409, "Subscriber for \(id) already exists")
    }
    static let tooManyInitialisationRequests = CloseReason(4429, "Too many initialisation requests")
    static let internalServerError = CloseReason(4500, "Internal server error")
}
