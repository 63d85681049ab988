import CLibpq
import Glibc

/// A session that libpq has opened and authenticated. Its messages are then read and written without libpq, on a
/// duplicate of its socket; at the end libpq closes it.
///
/// libpq 15 writes to the socket at each Sync, and so would send each segment by itself.
final class LibpqSession: @unchecked Sendable {
    private let libpq: OpaquePointer

    /// Takes ownership of `libpq`.
    init(_ libpq: OpaquePointer) { self.libpq = libpq }

    deinit { PQfinish(libpq) }

    /// A new descriptor of the session's socket; nil where the process has too many.
    func duplicateSocket() -> Int32? {
        let descriptor = fcntl(PQsocket(libpq), F_DUPFD_CLOEXEC, 0)
        return descriptor < 0 ? nil : descriptor
    }

    /// Whether the Generic Security Services encrypt the messages, which only libpq can do.
    var isEncryptedByGSS: Bool { PQgssEncInUse(libpq) != 0 }

    /// OpenSSL's state of the session; nil where its messages are not encrypted.
    var tls: OpaquePointer? { PQsslStruct(libpq, "OpenSSL").map { OpaquePointer($0) } }
}
