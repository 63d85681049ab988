/// Usernames that nobody can take, since a reader would take their owner for somebody who runs the service.
enum ReservedUsernames {
    /// Dots and underscores do not make another name of a reserved one, nor do characters that look like its own.
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
