import Glibc
import SystemPackage

/// Checks that the process may have the memory that it will need. Swift and its libraries end the process if a thread
/// cannot be started or a buffer cannot be allocated.
enum AddressSpace {
    private static let mebibyte = 1 << 20

    /// The bytes that any command needs.
    static let least = 512 * mebibyte

    /// The bytes that a server needs. Each thread reserves a stack of 8 MiB and a malloc arena of up to 64 MiB, and
    /// uses little of both.
    static var needed: Int {
        (1536 + 512 * max(1, Int(sysconf(CInt(_SC_NPROCESSORS_ONLN))))) * mebibyte
    }

    /// The bytes for two password hashes at once and for the server's start.
    private static let memory = 512 * mebibyte

    /// The process's limit in bytes; nil: none.
    static var limit: Int? {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limits) == 0, limits.rlim_cur != rlim_t.max
        else { return nil }
        return Int(clamping: limits.rlim_cur)
    }

    static func check() throws(CommandFailure) {
        try check(limit, needed)
        // A kernel that does not overcommit (vm.overcommit_memory=2) refuses this at once.
        let probe = mmap(nil, memory, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard probe != MAP_FAILED else {
            throw CommandFailure(
                "\(memory / mebibyte) MiB of memory cannot be had (\(Errno(rawValue: errno))): free some, or add swap.")
        }
        munmap(probe, memory)
    }

    /// - Parameters:
    ///   - limit: in bytes; nil: none.
    ///   - needed: in bytes.
    static func check(_ limit: Int?, _ needed: Int) throws(CommandFailure) {
        guard let limit, limit < needed else { return }
        throw CommandFailure(
            """
            The address space is limited to \(limit / mebibyte) MiB (ulimit -v), and \(needed / mebibyte) MiB are needed: \
            raise it, or bound the memory itself (MemoryMax of systemd, --memory of a container).
            """)
    }
}
