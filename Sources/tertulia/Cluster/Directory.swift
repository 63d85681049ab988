import Glibc
import SystemPackage

/// A directory as stat(2) describes it.
struct Directory: Sendable, Equatable {
    let path: FilePath
    let owner: uid_t
    let mode: mode_t

    /// nil if the path does not exist or is no directory.
    init?(at path: FilePath) {
        var status = stat()
        guard lstat(path.string, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        self.path = path
        self.owner = status.st_uid
        self.mode = status.st_mode & 0o7777
    }

    func isPrivate(to user: OperatingSystemUser) -> Bool { owner == user.id && mode & 0o077 == 0 }

    /// Makes the directory and its missing parents. Existing directories keep their mode and owner.
    static func make(_ path: FilePath, mode: mode_t, owner: OperatingSystemUser, parents: mode_t) throws(ClusterError) {
        var status = stat()
        if stat(path.string, &status) == 0 { return }
        let parent = path.removingLastComponent()
        if parent != path, !parent.isEmpty {
            try make(parent, mode: parents, owner: .current, parents: parents)
        }
        guard mkdir(path.string, mode) == 0 || errno == EEXIST else { throw .file(path, Errno(rawValue: errno)) }
        // mkdir is subject to the umask.
        guard chmod(path.string, mode) == 0 else { throw .file(path, Errno(rawValue: errno)) }
        guard owner == .current || chown(path.string, owner.id, owner.group) == 0
        else { throw .file(path, Errno(rawValue: errno)) }
    }
}
