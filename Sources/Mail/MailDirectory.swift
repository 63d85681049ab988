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
        do throws(MailError) {
            try fill(descriptor, with: message.bytes)
            guard rename(temporary, file) == 0 else { throw failure("rename") }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Writes the bytes and closes the descriptor.
    private func fill(_ descriptor: CInt, with bytes: [UInt8]) throws(MailError) {
        var rest = bytes[...]
        // A write may take only a part of the bytes. If an error cut it short, the next write gives that error.
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                let error = failure("write")
                close(descriptor)
                throw error
            }
            rest = rest.dropFirst(count)
        }
        guard close(descriptor) == 0 else { throw failure("close") }
    }

    private func failure(_ call: String) -> MailError {
        .temporary("\(call) in \(path) failed: errno \(errno)")
    }
}
