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

    /// The mail as it is sent, and as the content of an .eml file. Lines end with CR and LF, and are ASCII unless an
    /// address is not.
    public var bytes: [UInt8] {
        let boundary = "=_\(id)"
        let lines = [
            from.header("From"), to.header("To"), "Subject: \(EncodedWord.encode(subject, in: "Subject"))",
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
    /// The address as it stands in headers and in SMTP commands.
    public let address: String

    /// Quotes the local part if it has characters that may only stand in a quoted string.
    /// - Parameter address: its local part may be quoted already.
    /// - Returns: nil for an address that has not exactly one @ between two parts, or that could break out of a header
    ///   or an SMTP command.
    public init?(name: String? = nil, address: String) {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
            address.utf8.allSatisfy({ $0 > 32 && $0 != 127 }), !parts[1].utf8.contains(where: Self.separators.contains)
        else { return nil }
        self.name = name
        self.address = "\(Self.localPart(parts[0]))@\(parts[1])"
    }

    /// The `specials` of RFC 5322, section 3.2.3, except the dot, and except brackets and colons, which a domain
    /// literal has.
    private static let separators = Set("()<>,;@\\\"".utf8)

    /// Dots need no quotes here, though RFC 5322 has none at the ends and no two in a row: some providers' addresses
    /// have them, and are written unquoted.
    private static func localPart(_ text: Substring) -> String {
        let needsQuotes = text.utf8.contains { separators.contains($0) || "[]:".utf8.contains($0) }
        if !needsQuotes || isQuoted(text) { return String(text) }
        let escaped = text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }
        return "\"\(escaped.joined())\""
    }

    /// True where the text is a `quoted-string` (RFC 5322, section 3.2.4).
    private static func isQuoted(_ text: Substring) -> Bool {
        guard text.utf8.count >= 2, text.utf8.first == UInt8(ascii: "\""), text.utf8.last == UInt8(ascii: "\"") else {
            return false
        }
        var isEscaped = false
        for byte in text.utf8.dropFirst().dropLast() {
            if !isEscaped, byte == UInt8(ascii: "\"") { return false }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        }
        return !isEscaped
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

    /// The header of this name. The address stands in a line of its own if the display name is encoded, because a line
    /// with an encoded word has to be short.
    func header(_ header: String) -> String {
        guard let name, !name.isEmpty else { return "\(header): \(address)" }
        let text = EncodedWord.encode(name, in: header)
        return "\(header): \(text)\(text == name ? "" : "\r\n") <\(address)>"
    }
}
