import GraphQL

/// Makes a request an operation that can be executed. Its document is a trusted one, found by ID, digest or text, or is
/// found in the caches by digest or text; a new text is parsed, validated and measured.
struct DocumentPipeline<Context: ExecutionContext>: Sendable {
    let schema: ExecutableSchema<Context>
    let cache: DocumentCache<Context>
    private let introspectionScale: IntrospectionScale<Context>
    private let documentLimits: DocumentLimits
    /// nil where the server takes no persisted queries.
    private let persistedQueries: PersistedQueries?
    private let trustedDocuments: TrustedDocumentTable<Context>
    private let runsOnlyTrustedDocuments: Bool

    init(
        schema: ExecutableSchema<Context>, settings: ServerSettings, metrics: MetricRegistry,
        trustedDocuments: TrustedDocuments? = nil
    ) throws(InvalidTrustedDocuments) {
        self.schema = schema
        let limits = DocumentLimits(settings)
        documentLimits = limits
        introspectionScale = IntrospectionScale(schema)
        let cache = DocumentCache<Context>(count: settings.documentCache.count, bytes: settings.documentCache.bytes)
        self.cache = cache
        persistedQueries = settings.persistedQueries.map { PersistedQueries(count: $0.count, bytes: $0.bytes) }
        runsOnlyTrustedDocuments = settings.runsOnlyTrustedDocuments
        self.trustedDocuments =
            try trustedDocuments?.prepared { (text) throws(RequestError) in
                try Self.prepare(text, schema, limits, suggestions: true)
            } ?? TrustedDocumentTable()
        metrics.gauge("graphql_document_cache_entries", help: "Documents in the cache.") { Double(cache.count) }
        metrics.gauge("graphql_document_cache_bytes", help: "Bytes of memory that cached documents hold.") {
            Double(cache.size)
        }
        for (result, counter) in [("hit", cache.hits), ("miss", cache.misses)] {
            metrics.counter(
                "graphql_document_cache_lookups_total", help: "Look-ups in the document cache.",
                labels: [("result", result)]
            ) { Double(counter.current) }
        }
    }

    /// - Parameter allowsIntrospection: whether this client may introspect, and whether its errors suggest names of the
    ///   schema.
    /// - Parameter admitParsing: called before a text that is not in the cache is parsed.
    /// - Throws: the error of the request, with a code that a client can act on.
    func operation(
        of request: GraphQLRequest, allowsIntrospection: Bool,
        admitParsing: @escaping () throws(RequestError) -> Void = { () throws(RequestError) in }
    ) throws(RequestError) -> CachedOperation<Context> {
        let document = try document(
            of: request, Preparation(suggestions: allowsIntrospection, admitParsing: admitParsing))
        if document.usesIntrospection && !allowsIntrospection {
            throw RequestError([GraphQLError("Introspection is not available.", code: .validationFailed)])
        }
        return try document.operation(named: request.operationName)
    }

    /// The metrics of an operation with those of its introspection.
    /// - Returns: nil where the plan has no introspection.
    func metrics(_ metrics: QueryMetrics, withIntrospectionOf plan: Plan<Context>) -> QueryMetrics? {
        guard let figures = plan.introspection else { return nil }
        var metrics = metrics
        metrics.add(figures, standard: introspectionScale.standard)
        return metrics
    }

    /// The limits with a default for the size of introspection: twice the answer to the standard introspection query.
    func limits(_ limits: QueryLimits) -> QueryLimits {
        var limits = limits
        limits.introspectionSize = limits.introspectionSize ?? 2 * introspectionScale.standard.bytes
        return limits
    }

    private func document(
        of request: GraphQLRequest, _ preparation: Preparation
    ) throws(RequestError) -> CachedDocument<Context> {
        if let id = request.documentID {
            if request.query != nil { throw .badRequest("A request has either a \"query\" or a \"documentId\".") }
            if let document = trustedDocuments[id] { return document }
            throw runsOnlyTrustedDocuments ? .documentNotTrusted : .persistedQueryNotFound
        }
        if let document = try trustedDocument(of: request) { return document }
        if runsOnlyTrustedDocuments { throw .documentNotTrusted }
        if request.extensions["persistedQuery"] != nil {
            return try persistedDocument(of: request, preparation)
        }
        guard let text = request.query else { throw .badRequest("The request has no \"query\".") }
        return try document(text, preparation)
    }

    /// The trusted document that a request names by its text, or as a persisted query; nil if there is none.
    private func trustedDocument(of request: GraphQLRequest) throws(RequestError) -> CachedDocument<Context>? {
        if trustedDocuments.isEmpty { return nil }
        let byText = request.query.flatMap(trustedDocuments.document(withText:))
        guard let name = try persistedQuery(of: request)?.name else { return byText }
        let byName = trustedDocuments[name]
        guard request.query == nil || byText === byName else { throw .digestMismatch }
        return byName
    }

    private func document(_ text: String, _ preparation: Preparation) throws(RequestError) -> CachedDocument<Context> {
        try cache.document(for: text) { text throws(RequestError) in
            try preparation.admitParsing()
            return try Self.prepare(text, schema, documentLimits, suggestions: preparation.suggestions)
        }
    }

    /// Finds a document by its digest, or stores the document that comes with its digest. Only valid documents are
    /// stored, so that no client can fill the store with arbitrary text.
    /// Apollo: Automatic Persisted Queries
    private func persistedDocument(
        of request: GraphQLRequest, _ preparation: Preparation
    ) throws(RequestError) -> CachedDocument<Context> {
        guard let persistedQueries else { throw .persistedQueryNotSupported }
        guard let named = try persistedQuery(of: request) else {
            guard let text = request.query else { throw .badRequest("The request has no \"query\".") }
            return try document(text, preparation)
        }
        let hash: String
        do { hash = try named.hash() } catch {
            // It may be an ID of a newer manifest: the client then sends the text.
            if trustedDocuments.isEmpty { throw .badRequest(error.message) }
            guard let text = request.query else { throw .persistedQueryNotFound }
            return try document(text, preparation)
        }
        guard let text = request.query else {
            guard let known = persistedQueries[hash] else { throw .persistedQueryNotFound }
            return try document(known, preparation)
        }
        let document = try document(text, preparation)
        guard document.hash == hash else { throw .digestMismatch }
        persistedQueries.insert(text, hash: hash)
        return document
    }

    private func persistedQuery(of request: GraphQLRequest) throws(RequestError) -> PersistedQuery? {
        do { return try PersistedQuery(request.extensions) } catch { throw .badRequest(error.message) }
    }

    private static func prepare(
        _ text: String, _ schema: ExecutableSchema<Context>, _ limits: DocumentLimits, suggestions: Bool
    ) throws(RequestError) -> CachedDocument<Context> {
        let size = text.utf8.count
        if size > limits.size { throw .documentTooLarge(size, maximum: limits.size) }
        let document: Document
        do {
            document = try parse(Source(text), options: limits.parser)
        } catch {
            throw RequestError([error])
        }
        let errors = validate(document, against: schema.schema, options: ValidationOptions(suggestions: suggestions))
        if !errors.isEmpty { throw RequestError(errors) }
        return CachedDocument(document, text: text, schema: schema)
    }
}

/// How a document is prepared that is not in the cache.
private struct Preparation {
    /// Whether errors suggest names of the schema.
    let suggestions: Bool
    let admitParsing: () throws(RequestError) -> Void
}

/// The limits that a document must keep before it is validated.
private struct DocumentLimits: Sendable {
    /// The greatest length of a document, in bytes.
    let size: Int
    let parser: ParserOptions

    init(_ settings: ServerSettings) {
        size = settings.limits.documentSize
        parser = ParserOptions(
            maxTokens: settings.limits.documentTokens, maxDirectives: settings.queryLimits.directives)
    }
}

extension RequestError {
    fileprivate static func badRequest(_ message: String) -> RequestError {
        RequestError([GraphQLError(message, code: .badRequest)])
    }

    fileprivate static var digestMismatch: RequestError {
        .badRequest("The query is not the document that \"extensions.persistedQuery\" names.")
    }

    /// - Parameter size: the document's length in bytes.
    /// - Parameter maximum: the greatest length in bytes.
    fileprivate static func documentTooLarge(_ size: Int, maximum: Int) -> RequestError {
        RequestError([
            GraphQLError(
                "The document is larger than \(maximum) bytes.",
                extensions: InputObject([
                    (name: "code", value: .string(ErrorCode.queryTooComplex.rawValue)),
                    (name: "limit", value: .string("documentSize")), (name: "maximum", value: .int(maximum)),
                    (name: "actual", value: .int(size)),
                ]))
        ])
    }
}
