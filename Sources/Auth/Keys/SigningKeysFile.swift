import Cryptography

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The file of keys, with mode 0600. A write replaces the whole file atomically and syncs it: a reader, or a start
/// after a power cut, finds the old content or the new.
public struct SigningKeysFile: Sendable {
    public enum Failure: Error, Equatable {
        case notFound
        /// The content is not the JSON of `SigningKeysFormat`, or is larger than 1 MiB.
        case malformed
        /// Group or others may write the file.
        case writableByOthers
        /// A system call failed, with its errno.
        case system(call: String, errno: Int32)
    }

    private static let maximumByteCount = 1 << 20

    public let path: String

    public init(path: String) { self.path = path }

    public func load() throws(Failure) -> SigningKeys {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw errno == ENOENT ? .notFound : .system(call: "open", errno: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(call: "fstat", errno: errno) }
        guard status.st_mode & 0o022 == 0 else { throw .writableByOthers }
        guard (1...Self.maximumByteCount).contains(Int(status.st_size)) else { throw .malformed }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        defer { wipe(&bytes) }
        let count = read(descriptor, &bytes, bytes.count)
        guard count == bytes.count, let keys = SigningKeysFormat.decode(bytes) else { throw .malformed }
        return keys
    }

    /// Loads the file, or creates it with new keys. If several processes create it at once, one succeeds and all load
    /// its keys.
    public func loadOrCreate(now: Int64) throws(Failure) -> SigningKeys {
        do { return try load() } catch .notFound {
            let temporary = try writeTemporary(.generate(now: now))
            defer { unlink(temporary) }
            // link, unlike rename, does not replace a file that another process has created meanwhile.
            if link(temporary, path) != 0, errno != EEXIST { throw .system(call: "link", errno: errno) }
            try syncDirectory()
            return try load()
        }
    }

    /// Adds a key as `SigningKeys.rotated` does. A lock on the directory serialises concurrent rotations, so none is
    /// lost.
    public func rotate(now: Int64, tokenLifetime: Int64) throws(Failure) -> SigningKeys {
        let directory = open(self.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .system(call: "open", errno: errno) }
        defer { close(directory) }
        guard flock(directory, LOCK_EX) == 0 else { throw .system(call: "flock", errno: errno) }
        let keys = try load().rotated(now: now, tokenLifetime: tokenLifetime)
        let temporary = try writeTemporary(keys)
        guard rename(temporary, path) == 0 else {
            let failure = Failure.system(call: "rename", errno: errno)
            unlink(temporary)
            throw failure
        }
        try syncDirectory()
        return keys
    }

    private var directory: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private func writeTemporary(_ keys: SigningKeys) throws(Failure) -> String {
        let temporary = "\(path).\(Hex.encode(SecureRandom.bytes(8)))"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(call: "open", errno: errno) }
        defer { close(descriptor) }
        var bytes = SigningKeysFormat.encode(keys)
        defer { wipe(&bytes) }
        guard write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
            let failure = Failure.system(call: "write", errno: errno)
            unlink(temporary)
            throw failure
        }
        return temporary
    }

    private func syncDirectory() throws(Failure) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(call: "open", errno: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system(call: "fsync", errno: errno) }
    }
}
