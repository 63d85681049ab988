import CivilCalendar

/// A mail in plain text and HTML (RFC 5322; RFC 2046, section 5.1.4).
public struct MailMessage: Sendable {
    public let from: Mailbox
    public let to: Mailbox
    public let subject: String
    /// Lines end with a line feed.
    public let text: String
    public let html: String
    /// The part of the Message-ID before the @. It is the same for each attempt, so that a mail that is delivered twice
    /// shows as one.
    public let id: String
    /// In seconds since 1970.
    public let date: Int64

    public init(
        from: Mailbox, to: Mailbox, subject: String, text: String, html: String, id: String, date: Int64
    ) {
        (self.from, self.to, self.subject, self.text, self.html) = (from, to, subject, text, html)
        (self.id, self.date) = (id, date)
    }

    /// The mail as it is sent, and as the content of an .eml file: ASCII lines that end with CR and LF.
    public var bytes: [UInt8] {
        let boundary = "=_\(id)"
        let lines = [
            "From: \(from.header)", "To: \(to.header)", "Subject: \(EncodedWord.encode(subject))",
            "Date: \(CivilTime(secondsSince1970: Int(date)).mailDate)", "Message-ID: <\(id)@\(from.domain)>",
            "MIME-Version: 1.0",
            // RFC 3834, section 5: asks for no automatic replies.
            "Auto-Submitted: auto-generated",
            "Content-Type: multipart/alternative; boundary=\"\(boundary)\"", "",
            "--\(boundary)", "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: quoted-printable", "", QuotedPrintable.encode(text),
            "--\(boundary)", "Content-Type: text/html; charset=utf-8",
            "Content-Transfer-Encoding: quoted-printable", "", QuotedPrintable.encode(html),
            "--\(boundary)--", "",
        ]
        return Array(lines.joined(separator: "\r\n").utf8)
    }
}

/// An address with an optional display name (RFC 5322, section 3.4).
public struct Mailbox: Sendable, Equatable {
    public let name: String?
    public let address: String

    /// nil for an address that could break out of a header or an SMTP command.
    public init?(name: String? = nil, address: String) {
        let forbidden: Set<UInt8> = [UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\"")]
        guard address.contains("@"), address.utf8.allSatisfy({ $0 > 32 && $0 != 127 && !forbidden.contains($0) })
        else { return nil }
        self.name = name
        self.address = address
    }

    /// `Name <address>` or `address`.
    public init?(_ text: String) {
        guard let open = text.firstIndex(of: "<"), text.last == ">" else {
            self.init(address: text)
            return
        }
        let name = text[..<open].split(separator: " ").joined(separator: " ")
        self.init(
            name: name.isEmpty ? nil : name, address: String(text[text.index(after: open)...].dropLast()))
    }

    /// The sender if none is configured.
    public static let unnamed = Mailbox(localPart: "no-reply")

    private init(localPart: String) {
        name = nil
        address = "\(localPart)@localhost"
    }

    /// The part of the address behind the @.
    public var domain: String { String(address.split(separator: "@").last ?? "localhost") }

    var header: String {
        guard let name, !name.isEmpty else { return address }
        return "\(EncodedWord.encode(name)) <\(address)>"
    }
}
