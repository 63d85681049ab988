import Foundation
import Mail
import Testing

@Suite struct MailDirectoryTests {
    @Test func keepsEachMailInAFileOfItsOwn() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "mail-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let message = MailMessage(
            from: try #require(Mailbox(address: "a@example.org")), to: try #require(Mailbox(address: "b@example.org")),
            subject: "Hello", text: "x", html: "<p>x</p>", id: "m1", date: 7)
        let transport = MailDirectory(path: directory.path)
        try await transport.send(message)
        try await transport.send(message)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["7-m1.eml"])
        let file = directory.appending(path: "7-m1.eml")
        #expect(try Data(contentsOf: file) == Data(message.bytes))
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func aDirectoryThatCannotBeMadeIsTemporary() async throws {
        let message = MailMessage(
            from: try #require(Mailbox(address: "a@example.org")), to: try #require(Mailbox(address: "b@example.org")),
            subject: "", text: "", html: "", id: "m1", date: 7)
        await #expect(throws: MailError.self) {
            try await MailDirectory(path: "/nonexistent/mail").send(message)
        }
    }
}
