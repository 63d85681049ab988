/// The migrations in order, embedded so that the executable runs from anywhere.
public enum MigrationSources {
    public static let all: [(version: Int, name: String, bytes: [UInt8])] = [
        (1, "roles", PackageResources._0001_roles_sql),
        (2, "change_log", PackageResources._0002_change_log_sql),
        (3, "accounts", PackageResources._0003_accounts_sql),
        (4, "images", PackageResources._0004_images_sql),
        (5, "thoughts", PackageResources._0005_thoughts_sql),
        (6, "events", PackageResources._0006_events_sql),
        (7, "comments", PackageResources._0007_comments_sql),
    ]
}
