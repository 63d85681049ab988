import GraphQL
import Schema

/// The schema and its bindings.
public enum Domain {
    /// The schema of the embedded SDL.
    public static func schema() throws -> GraphQL.Schema {
        try buildSchema(
            sources: SchemaSources.all.map { Source($0.bytes, name: $0.name) },
            scalars: ["DateTime": DateTimeScalar.coercion, "Upload": UploadScalar.coercion])
    }

    /// - Throws: an error that lists every field without a resolver and every resolver without a field.
    public static func executableSchema() throws -> ExecutableSchema<RequestContext> {
        try ExecutableSchema(schema: schema(), bindings: bindings)
    }

    static let bindings: [Binding] =
        [query, mutation, Node.binding, ConnectionBindings.pageInfo, UserError.binding]
        + AccountBindings.types + FeedBindings.types + ThoughtBindings.types + EventBindings.types
        + CommentBindings.types + ChatBindings.types + NotificationBindings.types
        + PushDeviceBindings.types + ChangeBindings.types + SearchBindings.types + ImageBindings.types
        + Analytics.bindings + SafetyBindings.types

    private static let query: Binding = ObjectBinding<Root, RequestContext>("Query") { query in
        Node.query(&query)
        AccountBindings.query(&query)
        FeedBindings.query(&query)
        ThoughtBindings.query(&query)
        EventBindings.query(&query)
        PushDeviceBindings.query(&query)
        ChangeBindings.query(&query)
        SearchBindings.query(&query)
        Analytics.query(&query)
        SafetyBindings.query(&query)
        ImportBindings.query(&query)
    }

    private static let mutation: Binding = ObjectBinding<Root, RequestContext>("Mutation") { mutation in
        AccountBindings.mutation(&mutation)
        ThoughtBindings.mutation(&mutation)
        CommentBindings.mutation(&mutation)
        EventBindings.mutation(&mutation)
        ImageBindings.mutation(&mutation)
        ChatBindings.mutation(&mutation)
        NotificationBindings.mutation(&mutation)
        PushDeviceBindings.mutation(&mutation)
        SafetyBindings.mutation(&mutation)
    }
}
