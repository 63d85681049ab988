import Glibc
import Logging
import SystemPackage

/// The private cluster's directory and its owner.
struct ClusterLocation: Sendable, Equatable {
    /// The directory of the cluster, mode 0700, with data, socket, locks and log.
    let root: FilePath
    let owner: OperatingSystemUser

    var data: FilePath { root.appending("data") }
    var log: FilePath { root.appending("log") }

    static let fallback = FilePath("/var/lib/tertulia")

    /// TERTULIA_HOME/postgres, owned by the current user. Under root the owner is the directory's present owner, or
    /// `postgres` if there is no directory yet.
    ///
    /// If that owner cannot enter TERTULIA_HOME, the directory is below /var/lib/tertulia, at the same path. For the
    /// home /root/.tertulia it is /var/lib/tertulia/root/.tertulia/postgres.
    static func resolve(home: FilePath, fallback: FilePath = fallback, logger: Logger) async throws -> ClusterLocation {
        let current = OperatingSystemUser.current
        try Directory.make(home, mode: current.isRoot ? 0o711 : 0o700, owner: current, parents: 0o755)
        let preferred = home.appending("postgres")
        guard current.isRoot else { return try prepared(preferred, owner: current) }

        guard
            let owner = Directory(at: preferred).map({ OperatingSystemUser(id: $0.owner) })
                ?? OperatingSystemUser(name: "postgres"), !owner.isRoot
        else { throw ClusterError.noOwner }
        if await owner.canEnter(home) { return try prepared(preferred, owner: owner) }

        let root = fallback.appending(home.components).appending("postgres")
        logger.notice(
            "The private cluster is not in TERTULIA_HOME: its owner cannot enter that directory",
            metadata: ["owner": "\(owner.name)", "home": "\(home)", "cluster": "\(root)"])
        return try prepared(root, owner: owner)
    }

    /// True if a cluster has been made for this home. Makes none.
    static func existing(home: FilePath, fallback: FilePath = fallback) -> Bool {
        [home, fallback.appending(home.components)].contains {
            access($0.appending("postgres/data/PG_VERSION").string, F_OK) == 0
        }
    }

    private static func prepared(_ root: FilePath, owner: OperatingSystemUser) throws(ClusterError) -> ClusterLocation {
        try Directory.make(root, mode: 0o700, owner: owner, parents: 0o711)
        guard let directory = Directory(at: root) else { throw .file(root, .notDirectory) }
        guard directory.owner == owner.id
        else { throw .foreignOwner(directory: root, owner: OperatingSystemUser(id: directory.owner).name) }
        return ClusterLocation(root: root, owner: owner)
    }
}
