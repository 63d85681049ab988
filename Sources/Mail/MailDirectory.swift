#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Writes each mail into a file of its own with mode 0600, since its links grant access to an account.
public struct MailDirectory: MailTransport {
    /// The directory of the files.
    public let path: String

    /// The first mail creates the directory; its parent must exist.
    public init(path: String) { self.path = path }

    /// The file appears atomically: a reader sees the whole mail or no file.
    public func send(_ message: MailMessage) async throws(MailError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("mkdir") }
        let file = "\(path)/\(message.date)-\(message.id).eml"
        let temporary = "\(file).part"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open") }
        let bytes = message.bytes
        let written = write(descriptor, bytes, bytes.count)
        let isWritten = written == bytes.count
        guard close(descriptor) == 0, isWritten, rename(temporary, file) == 0 else {
            let error = failure("write")
            unlink(temporary)
            throw error
        }
    }

    private func failure(_ call: String) -> MailError {
        .temporary("\(call) in \(path) failed: errno \(errno)")
    }
}
