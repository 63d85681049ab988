import SystemPackage

/// The reason why the private cluster cannot be made, started or used. Some descriptions say how to correct it.
enum ClusterError: Error, Equatable, CustomStringConvertible {
    case noInstallation(needed: Int?)
    case noOwner
    case foreignOwner(directory: FilePath, owner: String)
    case file(FilePath, Errno)
    case program(String, output: String)
    case busy(lock: FilePath)
    case notReady(data: FilePath, seconds: Int)

    var description: String {
        switch self {
        case .noInstallation(nil):
            """
            PostgreSQL's server programs were not found in /usr/lib/postgresql, by pg_config or on PATH. \
            Install them (apt-get install postgresql), or set DATABASE_URL to a server that runs.
            """
        case .noInstallation(let major?):
            """
            The private cluster was made by PostgreSQL \(major), whose programs are not installed. \
            Install them (apt-get install postgresql-\(major)), or upgrade the cluster as docs/operations.md says.
            """
        case .noOwner:
            """
            PostgreSQL does not run as root, and there is no user "postgres" to run it. \
            Create that user, run as another one, or set DATABASE_URL.
            """
        case .foreignOwner(let directory, let owner):
            "\(directory) belongs to \(owner): run as that user or as root, or choose another TERTULIA_HOME."
        case .file(let path, let errno):
            "\(path): \(errno)"
        case .program(let name, let output):
            "\(name) failed: \(output)"
        case .busy(let lock):
            "Another process has been starting or stopping the private cluster for a minute (lock: \(lock))."
        case .notReady(let data, let seconds):
            "The private cluster in \(data) was not ready after \(seconds) seconds; its log stands beside it."
        }
    }
}
