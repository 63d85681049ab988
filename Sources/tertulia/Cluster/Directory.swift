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
        // Another process may look for the directory at any time, so it appears with its mode and owner.
        var unfinished = Array("\(path).XXXXXX".utf8CString)
        guard mkdtemp(&unfinished) != nil else { throw .file(path, Errno(rawValue: errno)) }
        guard chmod(unfinished, mode) == 0, owner == .current || chown(unfinished, owner.id, owner.group) == 0,
            rename(unfinished, path.string) == 0
        else {
            let error = errno
            rmdir(unfinished)
            // Another process has made it meanwhile, and has put something into it.
            if error == ENOTEMPTY || error == EEXIST { return }
            throw .file(path, Errno(rawValue: error))
        }
    }
}
