import Glibc

/// The private cluster's settings. Each start writes them to `tertulia.conf`, which `postgresql.conf` includes, so that
/// the settings of a new release of Tertulia take effect.
struct ClusterSettings {
    var socketDirectory: String
    /// The machine's memory in bytes, or the process's limit if that is lower.
    var memory = min(
        Int(sysconf(CInt(_SC_PHYS_PAGES))) * Int(sysconf(CInt(_SC_PAGESIZE))), AddressSpace.limit ?? .max)

    static let port = 5432
    private static let mebibyte = 1 << 20

    var text: String {
        """
        # Written by tertulia on each start. Settings of your own go to postgresql.conf, below its include.
        listen_addresses = ''
        port = \(Self.port)
        unix_socket_directories = '\(socketDirectory)'
        unix_socket_permissions = 0700
        max_connections = 100
        shared_buffers = '\(sharedBuffers)MB'
        effective_cache_size = '\(max(memory / 2 / Self.mebibyte, 128))MB'
        max_wal_size = '2GB'
        min_wal_size = '256MB'
        random_page_cost = 1.1
        jit = off
        timezone = 'UTC'
        log_timezone = 'UTC'
        log_checkpoints = off
        # The server logs refused statements itself, without their values.
        log_min_messages = log
        log_min_error_statement = panic

        """
    }

    /// An eighth of the memory, between PostgreSQL's own default and 1 GiB. The server and the page cache need the
    /// rest.
    private var sharedBuffers: Int { min(max(memory / 8 / Self.mebibyte, 128), 1024) }
}
