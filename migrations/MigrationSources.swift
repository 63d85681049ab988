/// The migrations in order, embedded so that the executable runs from anywhere.
public enum MigrationSources {
    /// This release's number. The next release that brings migrations has the next one. A server runs on a database
    /// that the release after its own has migrated, so that servers can be replaced, restarted and put back one by one.
    public static let compatibility = 1

    /// A file's name is the migration's version and name: `0001_roles.sql`.
    public static let all: [(version: Int, name: String, sql: String)] = EmbeddedFiles.all.compactMap { file in
        let parts = file.name.dropLast(".sql".count).split(separator: "_", maxSplits: 1)
        guard parts.count == 2, let version = Int(parts[0]) else { return nil }
        return (version, String(parts[1]), file.text)
    }

    /// Databases that were made before the baseline have 33 other migrations: the fingerprint of their history, the
    /// last migration of the baseline, and the script that brings them to the baseline's form.
    public static let adoption = (
        fingerprint: "7652160d701ce51f21f289fc72c84397316bb848eea0814094bd847271ee4897",
        lastVersion: 18,
        sql: EmbeddedFiles.all.first { $0.name == "adoption.sql" }?.text ?? ""
    )
}
