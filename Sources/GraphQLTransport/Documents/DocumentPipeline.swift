import GraphQL

/// From a document's text to an operation that can be executed: parsed, validated and measured once a document.
struct DocumentPipeline<Context: ExecutionContext>: Sendable {
    let schema: ExecutableSchema<Context>
    let cache: DocumentCache<Context>
    let limits: HTTPLimits

    init(schema: ExecutableSchema<Context>, settings: ServerSettings, metrics: MetricRegistry) {
        self.schema = schema
        limits = settings.limits
        let cache = DocumentCache<Context>(count: settings.documentCache.count, bytes: settings.documentCache.bytes)
        self.cache = cache
        metrics.gauge("graphql_document_cache_entries", help: "Documents in the cache.") { Double(cache.count) }
        metrics.gauge("graphql_document_cache_bytes", help: "Bytes of their texts.") { Double(cache.size) }
        for (result, counter) in [("hit", cache.hits), ("miss", cache.misses)] {
            metrics.counter(
                "graphql_document_cache_lookups_total", help: "Look-ups in the cache.", labels: [("result", result)]
            ) { Double(counter.current) }
        }
    }

    /// - Parameter revealsSchema: whether this client may introspect, and gets names suggested.
    /// - Throws: what is wrong with the request, with a code that a client can act on.
    func operation(
        of request: GraphQLRequest, revealsSchema: Bool
    ) throws(RequestError) -> CachedOperation<Context> {
        guard let text = request.query else {
            throw RequestError([GraphQLError("The request has no \"query\".", code: .badRequest)])
        }
        let document = try cache.document(for: text) { text throws(RequestError) in
            try prepare(text, revealsSchema: revealsSchema)
        }
        if document.usesIntrospection && !revealsSchema {
            throw RequestError([GraphQLError("Introspection is not available.", code: .validationFailed)])
        }
        return try document.operation(named: request.operationName)
    }

    private func prepare(_ text: String, revealsSchema: Bool) throws(RequestError) -> CachedDocument<Context> {
        if text.utf8.count > limits.documentSize {
            throw RequestError([
                GraphQLError("The document is larger than \(limits.documentSize) bytes.", code: .queryTooComplex)
            ])
        }
        let document: Document
        do {
            document = try parse(Source(text), options: ParserOptions(maxTokens: limits.documentTokens))
        } catch {
            throw RequestError([error])
        }
        let errors = validate(
            document, against: schema.schema, options: ValidationOptions(suggestions: revealsSchema))
        if !errors.isEmpty { throw RequestError(errors) }
        return CachedDocument(document, text: text, schema: schema)
    }
}
