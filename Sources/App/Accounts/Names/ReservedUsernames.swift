/// Usernames that are refused because readers would take their owner for the service's staff, for everybody or for
/// nobody.
enum ReservedUsernames {
    /// True for a reserved name, also with dots, underscores and look-alike characters in it, and for a name without
    /// letters and digits.
    /// - Parameter username: of a-z, 0-9, _ and . only.
    static func contains(_ username: String) -> Bool {
        let letters = username.filter { $0 != "." && $0 != "_" }
        return letters.isEmpty || skeletons.contains(NameSkeleton.of(letters))
    }

    private static let skeletons: Set<String> = Set(
        [
            "abuse", "admin", "administrator", "anonymous", "everybody", "everyone", "help", "hostmaster", "info",
            "moderator", "moderators", "nobody", "noreply", "null", "official", "postmaster", "root", "security",
            "staff",
            "superuser", "support", "sysadmin", "system", "tertulia", "undefined", "webmaster",
        ].map(NameSkeleton.of))
}
