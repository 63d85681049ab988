import GraphQL
import Postgres

/// The id that clients see: a type prefix and a UUIDv7 in Crockford's base 32.
/// Source: the TypeID specification 0.3.0
public struct TypeID: LeafValue, Hashable {
    /// The type that an id belongs to; the raw value is the prefix.
    public enum Kind: String, Sendable, CaseIterable {
        case user, viewer, session, thought, comment, event, image, conversation, message, notification, device
        case report
    }

    public let kind: Kind
    public let uuid: UUID

    public init(_ kind: Kind, _ uuid: UUID) {
        self.kind = kind
        self.uuid = uuid
    }

    /// nil unless `text` is a TypeID with the prefix of a `Kind`.
    public init?(_ text: String) {
        var text = text
        let parsed = text.withUTF8 { bytes -> (Kind, UUID)? in
            guard let separator = bytes.lastIndex(of: UInt8(ascii: "_")), bytes.count - separator - 1 == 26 else {
                return nil
            }
            let prefix = String(decoding: bytes[..<separator], as: UTF8.self)
            guard let kind = Kind(rawValue: prefix) else { return nil }
            guard let uuid = Base32.decode(bytes[(separator + 1)...]) else { return nil }
            return (kind, uuid)
        }
        guard let (kind, uuid) = parsed else { return nil }
        self.init(kind, uuid)
    }

    public func write(to json: inout JSONWriter) {
        json.append(UInt8(ascii: "\""))
        append(to: &json)
        json.append(UInt8(ascii: "\""))
    }

    /// Without quotation marks.
    func append(to json: inout JSONWriter) {
        json.append(kind.prefix)
        withUnsafeTemporaryAllocation(byteCount: 26, alignment: 1) { buffer in
            Base32.encode(uuid, into: buffer)
            json.append(UnsafeRawBufferPointer(buffer))
        }
    }

    public static func canRepresent(_ type: NamedType) -> Bool { type.name == "ID" }
}

extension TypeID: CustomStringConvertible {
    public var description: String {
        var json = JSONWriter(capacity: 40)
        append(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension TypeID.Kind {
    /// The raw value and the separator.
    var prefix: StaticString {
        switch self {
        case .user: "user_"
        case .viewer: "viewer_"
        case .session: "session_"
        case .thought: "thought_"
        case .comment: "comment_"
        case .event: "event_"
        case .image: "image_"
        case .conversation: "conversation_"
        case .message: "message_"
        case .notification: "notification_"
        case .device: "device_"
        case .report: "report_"
        }
    }
}

extension TypeID: InputDecodable {
    /// - Throws: BAD_USER_INPUT for a malformed id. The mistake is the client program's, not a person's, so it is no
    ///   `userError`.
    public init(inputValue: InputValue) throws {
        guard case .string(let text) = inputValue, let id = TypeID(text) else {
            throw ExecutionError("This id is malformed.", code: .badUserInput)
        }
        self = id
    }
}
