/// The SDL, one file a feature, embedded so that the executable runs from anywhere.
public enum SchemaSources {
    /// In the order in which features extend the root types.
    static let features = [
        "base", "accounts", "feed", "thoughts", "comments", "events", "images", "chat", "notifications", "push",
        "changes", "search", "analytics", "safety", "imports",
    ]

    /// A file that `features` does not name comes last.
    public static let all: [(name: String, bytes: [UInt8])] = {
        let names = features.map { "\($0).graphql" }
        let place = { (name: String) in names.firstIndex(of: name) ?? names.count }
        return EmbeddedFiles.all.sorted { (place($0.name), $0.name) < (place($1.name), $1.name) }
            .map { ($0.name, Array($0.text.utf8)) }
    }()
}
