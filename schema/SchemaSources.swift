/// The SDL, one file a feature, embedded so that the executable runs from anywhere.
public enum SchemaSources {
    public static let all: [(name: String, bytes: [UInt8])] = [
        ("base.graphql", PackageResources.base_graphql),
        ("accounts.graphql", PackageResources.accounts_graphql),
        ("feed.graphql", PackageResources.feed_graphql),
        ("thoughts.graphql", PackageResources.thoughts_graphql),
        ("comments.graphql", PackageResources.comments_graphql),
        ("events.graphql", PackageResources.events_graphql),
        ("images.graphql", PackageResources.images_graphql),
        ("chat.graphql", PackageResources.chat_graphql),
        ("notifications.graphql", PackageResources.notifications_graphql),
        ("push.graphql", PackageResources.push_graphql),
        ("changes.graphql", PackageResources.changes_graphql),
        ("search.graphql", PackageResources.search_graphql),
        ("analytics.graphql", PackageResources.analytics_graphql),
        ("safety.graphql", PackageResources.safety_graphql),
    ]
}
