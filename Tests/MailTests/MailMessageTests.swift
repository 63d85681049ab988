import Testing

@testable import Mail

@Suite struct MailMessageTests {
    private func message(
        subject: String = "Hello", from: String = "Tertulia", to: String = "ana@example.org"
    ) throws -> MailMessage {
        MailMessage(
            from: try #require(Mailbox("\(from) <no-reply@example.org>")), to: try #require(Mailbox(address: to)),
            subject: subject, text: "Hello Ana,\n\n¿qué tal?\n", html: "<p>Hello</p>\n", id: "m1", date: 1_795_219_200)
    }

    @Test func isAMultipartOfTextAndHTML() throws {
        let text = String(decoding: try message().bytes, as: UTF8.self)
        #expect(text.utf8.allSatisfy { $0 < 128 })
        #expect(!text.replacing("\r\n", with: "").contains { $0 == "\n" || $0 == "\r" })
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(
            lines.prefix(5).elementsEqual([
                "From: Tertulia <no-reply@example.org>", "To: ana@example.org", "Subject: Hello",
                "Date: Sat, 21 Nov 2026 00:00:00 +0000", "Message-ID: <m1@example.org>",
            ]))
        #expect(lines.contains("=C2=BFqu=C3=A9 tal?"))
        #expect(lines.contains("<p>Hello</p>"))
        #expect(lines.count { $0 == "--=_m1" } == 2)
        #expect(lines.contains("--=_m1--"))
    }

    /// RFC 2047, section 2
    @Test func aSubjectBeyondASCIIIsEncoded() throws {
        let subject = "Grüße\r\nBcc: eve@example.org " + String(repeating: "é", count: 60)
        let text = String(decoding: try message(subject: subject).bytes, as: UTF8.self)
        let header = try #require(text.firstRange(of: "Subject: ")?.upperBound)
        let words = text[header...].split(separator: "\r\n").prefix { $0.hasSuffix("?=") }
        #expect(words.count > 3)
        #expect(words.allSatisfy { $0.utf8.count <= 76 && $0.contains("=?utf-8?Q?") })
        #expect(!text.contains("\r\nBcc:"))
    }

    /// RFC 2047, section 2: a line with an encoded word has at most 76 characters, the header's name among them.
    @Test func linesWithEncodedWordsAreShort() throws {
        let long = String(repeating: "é", count: 50)
        let text = String(decoding: try message(subject: long, from: long).bytes, as: UTF8.self)
        let lines = text.split(separator: "\r\n")
        let encoded = lines.filter { $0.contains("=?utf-8?Q?") }
        #expect(encoded.contains { $0.hasPrefix("From: ") } && encoded.contains { $0.hasPrefix("Subject: ") })
        #expect(encoded.allSatisfy { $0.utf8.count <= 76 })
        #expect(lines.contains(" <no-reply@example.org>"))
    }

    @Test(arguments: [
        "ana@example.org>\r\nRCPT TO:<eve@example.org", "a b@example.org", "ana", "a@b\0", "a@b@c.d", "@b.c", "a@",
        "a@b<c.d", "a@b>c.d", "a@b,c.d", "a@b\"c.d",
    ])
    func anAddressStaysInItsPlace(address: String) {
        #expect(Mailbox(address: address) == nil)
    }

    /// RFC 5322, section 3.4.1; RFC 6532, section 3.2
    @Test(arguments: [
        ("a,b", "\"a,b\""), ("a\"b", "\"a\\\"b\""), ("a<b", "\"a<b\""), ("a\\b", "\"a\\\\b\""), ("\"", "\"\\\"\""),
        ("\"a\\\"", "\"\\\"a\\\\\\\"\""), ("\"a,b\"", "\"a,b\""), ("\"a\\\"b\"", "\"a\\\"b\""),
        ("o'brien+x_y", "o'brien+x_y"), ("jörg", "jörg"), ("a..b", "a..b"),
    ])
    func aLocalPartIsQuotedWhereItHasTo(local: String, written: String) throws {
        #expect(try #require(Mailbox(address: "\(local)@b.c")).address == "\(written)@b.c")
        let text = String(decoding: try message(to: "\(local)@b.c").bytes, as: UTF8.self)
        #expect(text.contains("\r\nTo: \(written)@b.c\r\n"))
    }

    @Test func mailboxes() {
        #expect(Mailbox("a@b.c") == Mailbox(address: "a@b.c"))
        #expect(Mailbox("The  House <a@b.c>") == Mailbox(name: "The House", address: "a@b.c"))
        #expect(Mailbox("The House") == nil)
    }
}

@Suite struct QuotedPrintableTests {
    @Test func linesAreShort() {
        let encoded = QuotedPrintable.encode(String(repeating: "é=", count: 100) + "x \nend")
        let lines = encoded.split(separator: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 76 })
        #expect(lines.dropLast(2).allSatisfy { $0.hasSuffix("=") })
        #expect(lines.dropLast().last?.hasSuffix("x=20") == true)
        #expect(encoded.replacing("=\r\n", with: "") == String(repeating: "=C3=A9=3D", count: 100) + "x=20\r\nend")
    }
}
