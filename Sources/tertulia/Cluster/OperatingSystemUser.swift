import Glibc

/// A user of the operating system (getpwnam(3)).
struct OperatingSystemUser: Sendable, Equatable {
    let name: String
    let id: uid_t
    let group: gid_t
    /// True if the user database has an entry for the id.
    let hasEntry: Bool

    static var current: OperatingSystemUser { OperatingSystemUser(id: geteuid()) }

    var isRoot: Bool { id == 0 }

    init?(name: String) {
        guard let entry = Self.entry({ getpwnam_r(name, $0, $1, $2, $3) }) else { return nil }
        self.init(name: name, id: entry.id, group: entry.group, hasEntry: true)
    }

    /// If the user database has no entry for the id, as in many containers, the id serves as the name.
    init(id: uid_t) {
        let entry = Self.entry { getpwuid_r(id, $0, $1, $2, $3) }
        self.init(name: entry?.name ?? String(id), id: id, group: entry?.group ?? getegid(), hasEntry: entry != nil)
    }

    private init(name: String, id: uid_t, group: gid_t, hasEntry: Bool) {
        self.name = name
        self.id = id
        self.group = group
        self.hasEntry = hasEntry
    }

    private typealias Lookup = (
        UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
        UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
    ) -> CInt

    private static func entry(_ lookup: Lookup) -> (name: String, id: uid_t, group: gid_t)? {
        var record = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
            guard let base = buffer.baseAddress, lookup(&record, base, buffer.count, &found) == 0, found != nil
            else { return nil }
            return (String(cString: record.pw_name), record.pw_uid, record.pw_gid)
        }
    }
}
