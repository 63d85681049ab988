import Glibc

/// The process's limit of file descriptors, which files and sockets share.
public enum Descriptors {
    /// RLIMIT_NOFILE's soft limit; `Int.max` where it is unlimited.
    public static var limit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the soft limit to the hard one, which every process may do.
    /// - Returns: the new soft limit.
    @discardableResult
    public static func raiseLimit() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        if getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            setrlimit(resource, &limit)
        }
        return self.limit
    }
}
