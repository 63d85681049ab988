import Glibc
import SystemPackage

/// An advisory lock on a file, flock(2). The kernel releases it when the process ends, in whatever way.
///
/// The descriptor is closed on exec; otherwise the postmaster would inherit the lock.
final class FileLock: Sendable {
    enum Mode {
        case shared, exclusive

        fileprivate var operation: CInt { self == .shared ? LOCK_SH : LOCK_EX }
    }

    let path: FilePath
    private let descriptor: FileDescriptor

    init(_ path: FilePath, owner: OperatingSystemUser) throws(ClusterError) {
        self.path = path
        do {
            descriptor = try FileDescriptor.open(
                path, .readWrite, options: [.create, .closeOnExec, .noFollow], permissions: [.ownerReadWrite])
        } catch {
            throw .file(path, error as? Errno ?? .ioError)
        }
        if OperatingSystemUser.current.isRoot { fchown(descriptor.rawValue, owner.id, owner.group) }
    }

    deinit { try? descriptor.close() }

    /// - Returns: whether the lock was granted at once. A lock that is held already changes its mode.
    func tryLock(_ mode: Mode) -> Bool { flock(descriptor.rawValue, mode.operation | LOCK_NB) == 0 }

    func unlock() { flock(descriptor.rawValue, LOCK_UN) }

    /// - Throws: `ClusterError.busy` after `patience`.
    func lock(_ mode: Mode, patience: Duration = .seconds(60)) async throws {
        let deadline = ContinuousClock.now + patience
        while !tryLock(mode) {
            guard ContinuousClock.now < deadline else { throw ClusterError.busy(lock: path) }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
