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

    /// The reason of the failure that a mail meets in a directory.
    /// - Parameter prepare: puts an obstacle in the way of the mail's file. It gets the file's path.
    private func reason(
        text: String = "", _ prepare: (String) throws -> Void
    ) async throws -> String? {
        let directory = FileManager.default.temporaryDirectory.appending(path: "mail-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        try prepare(directory.appending(path: "7-m1.eml").path)
        let message = MailMessage(
            from: try #require(Mailbox(address: "a@example.org")), to: try #require(Mailbox(address: "b@example.org")),
            subject: "", text: text, html: "", id: "m1", date: 7)
        let error = await #expect(throws: MailError.self) {
            try await MailDirectory(path: directory.path).send(message)
        }
        let leftOver = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(!leftOver.contains("7-m1.eml.part"))
        return error?.description.replacing(directory.path, with: "DIRECTORY")
    }

    @Test func theReasonNamesTheCallThatFailed() async throws {
        let rename = try await reason { file in
            try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        }
        #expect(rename == "rename in DIRECTORY failed: errno \(EISDIR)")
        let write = try await reason { file in
            try FileManager.default.createSymbolicLink(atPath: "\(file).part", withDestinationPath: "/dev/full")
        }
        #expect(write == "write in DIRECTORY failed: errno \(ENOSPC)")
    }

    /// A pipe takes a part of the mail, and has no reader for the rest.
    @Test func aWriteThatTakesAPartGoesOn() async throws {
        signal(SIGPIPE, SIG_IGN)
        let reason = try await reason(text: String(repeating: "x ", count: 100_000)) { file in
            #expect(mkfifo("\(file).part", 0o600) == 0)
            let reader = open("\(file).part", O_RDONLY | O_NONBLOCK)
            Thread.detachNewThread {
                var waiting: CInt = 0
                while ioctl(reader, UInt(FIONREAD), &waiting) == 0, waiting == 0 { usleep(1_000) }
                close(reader)
            }
        }
        #expect(reason == "write in DIRECTORY failed: errno \(EPIPE)")
    }
}
