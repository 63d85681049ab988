/// Usernames that are refused because readers would take their owner for a member of the service's staff.
enum ReservedUsernames {
    /// Whether a username is reserved. Dots, underscores and look-alike characters do not make a reserved name another.
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
