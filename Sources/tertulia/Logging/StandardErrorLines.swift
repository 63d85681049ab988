import Glibc

enum StandardErrorLines {
    /// One write(2) a line: lines of several threads do not mix.
    static func write(_ line: [UInt8]) {
        var sent = 0
        line.withUnsafeBytes { bytes in
            while sent < bytes.count {
                let count = Glibc.write(STDERR_FILENO, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
                guard count > 0 || errno == EINTR else { return }
                sent += max(count, 0)
            }
        }
    }
}
