import Glibc

/// The database connections of a server, by pool. docs/operations.md tells how to size them.
struct PoolSizes: Sendable, Equatable {
    var read: Int
    var write: Int
    var slow: Int
    var worker: Int

    /// - Parameter cores: of this machine.
    init(cores: Int) {
        // A type of statements that is slow leaves one connection to all other types: the one beyond twice the cores.
        read = 2 * cores + 1
        write = 8
        slow = max(2, cores / 2)
        worker = 4
    }

    init(_ flags: PoolFlags, _ reader: inout SettingReader) {
        let standard = PoolSizes(cores: max(1, Int(sysconf(CInt(_SC_NPROCESSORS_ONLN)))))
        read = reader.read(flags.read, default: standard.read)
        write = reader.read(flags.write)
        slow = reader.read(flags.slow, default: standard.slow)
        worker = reader.read(flags.worker)
    }

    /// The number of connections that a server keeps, including the one that waits for NOTIFY.
    var total: Int { read + write + slow + worker + 1 }
}
