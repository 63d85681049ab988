import Glibc
import SystemPackage

/// The directory of the cluster's Unix socket. Only its owner can enter it, so connections need no password.
enum SocketDirectory {
    /// unix(7): sun_path has 108 bytes, with its NUL.
    static let longestSocketPath = 107
    static let socketName = ".s.PGSQL.\(ClusterSettings.port)"
    private static let temporaryPrefix = "/tmp/tertulia-"

    /// Makes the directory `socket` in the cluster's directory. If the path of this directory does not fit, makes a new
    /// directory in /tmp instead.
    static func make(for location: ClusterLocation) throws(ClusterError) -> FilePath {
        let preferred = location.root.appending("socket")
        guard fits(preferred) else { return try makeTemporary(for: location) }
        try Directory.make(preferred, mode: 0o700, owner: location.owner, parents: 0o700)
        guard Directory(at: preferred)?.isPrivate(to: location.owner) == true
        else { throw .file(preferred, .permissionDenied) }
        removeSocket(in: preferred)
        return preferred
    }

    /// True if the path is short enough for a socket, and has no character that would need quoting in postgresql.conf
    /// or in a connection string.
    static func fits(_ directory: FilePath) -> Bool {
        directory.string.utf8.count + 1 + socketName.utf8.count <= longestSocketPath
            && directory.string.utf8.allSatisfy(isPlain)
    }

    /// Removes a directory that `make` made in /tmp, with its socket. Other directories stay.
    static func remove(_ directory: FilePath, of location: ClusterLocation) {
        guard directory.string.hasPrefix(temporaryPrefix),
            Directory(at: directory)?.isPrivate(to: location.owner) == true
        else { return }
        removeSocket(in: directory)
        rmdir(directory.string)
    }

    /// Removes the socket and the lock file of a killed postmaster. While the killed postmaster is a zombie, the lock
    /// file would prevent the next postmaster from starting.
    private static func removeSocket(in directory: FilePath) {
        unlink(directory.appending(socketName).string)
        unlink(directory.appending(socketName + ".lock").string)
    }

    private static func makeTemporary(for location: ClusterLocation) throws(ClusterError) -> FilePath {
        var template = Array((temporaryPrefix + "XXXXXX").utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
        guard made != nil else { throw .file(FilePath("/tmp"), Errno(rawValue: errno)) }
        let path = FilePath(String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
        guard location.owner == .current || chown(path.string, location.owner.id, location.owner.group) == 0
        else { throw .file(path, Errno(rawValue: errno)) }
        return path
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default:
            false
        }
    }
}
