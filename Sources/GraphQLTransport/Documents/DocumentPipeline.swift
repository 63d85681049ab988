import GraphQL

/// Finds the operation that a request asks to execute. The document is found by its ID or digest, or in the cache by
/// its text; a new text is parsed, validated and measured.
struct DocumentPipeline<Context: ExecutionContext>: Sendable {
    let schema: ExecutableSchema<Context>
    let cache: DocumentCache<Context>
    private let introspectionScale: IntrospectionScale<Context>
    private let documentLimits: DocumentLimits
    /// nil where the server takes no persisted queries.
    private let persistedQueries: PersistedQueries?
    private let trustedDocuments: [String: CachedDocument<Context>]
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
                try Self.prepare(text, schema, limits, suggestions: true, observer: nil)
            } ?? [:]
        metrics.gauge("graphql_document_cache_entries", help: "Documents in the cache.") { Double(cache.count) }
        metrics.gauge("graphql_document_cache_bytes", help: "Bytes of memory that cached documents hold.") {
            Double(cache.size)
        }
        let limit = settings.documentCache.bytes
        metrics.gauge("graphql_document_cache_limit_bytes", help: "Bytes that cached documents may hold.") {
            Double(limit)
        }
        if let persistedQueries, let limit = settings.persistedQueries?.bytes {
            metrics.gauge("graphql_persisted_queries_bytes", help: "Bytes of memory that persisted queries hold.") {
                Double(persistedQueries.size)
            }
            metrics.gauge("graphql_persisted_queries_limit_bytes", help: "Bytes that persisted queries may hold.") {
                Double(limit)
            }
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
    /// - Parameter observer: is told of the preparation of a text that is not in the cache.
    /// - Parameter admitParsing: called before such a text is parsed.
    /// - Throws: the error of the request, with a code that a client can act on.
    func operation(
        of request: GraphQLRequest, allowsIntrospection: Bool, observer: (any OperationObserver)? = nil,
        admitParsing: () throws(RequestError) -> Void = { () throws(RequestError) in }
    ) throws(RequestError) -> CachedOperation<Context> {
        let document = try document(
            of: request, Preparation(suggestions: allowsIntrospection, observer: observer), admitParsing)
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
        of request: GraphQLRequest, _ preparation: Preparation, _ admitParsing: () throws(RequestError) -> Void
    ) throws(RequestError) -> CachedDocument<Context> {
        if let id = request.documentID {
            if request.query != nil { throw badRequest("A request has either a \"query\" or a \"documentId\".") }
            if let document = trustedDocuments[id] { return document }
            throw runsOnlyTrustedDocuments ? .documentNotTrusted : .persistedQueryNotFound
        }
        if runsOnlyTrustedDocuments { throw .documentNotTrusted }
        // A client may write null for a member that it leaves out.
        if let name = request.extensions["persistedQuery"], name != .null {
            return try persistedDocument(of: request, named: name, preparation, admitParsing)
        }
        guard let text = request.query else { throw badRequest("The request has no \"query\".") }
        return try document(text, preparation, admitParsing)
    }

    private func document(
        _ text: String, _ preparation: Preparation, _ admitParsing: () throws(RequestError) -> Void
    ) throws(RequestError) -> CachedDocument<Context> {
        try cache.document(for: text) { text throws(RequestError) in
            try admitParsing()
            return try Self.prepare(
                text, schema, documentLimits, suggestions: preparation.suggestions, observer: preparation.observer)
        }
    }

    /// Finds a document by its digest, or stores the document that comes with its digest. Only valid documents are
    /// stored, so that no client can fill the store with arbitrary text.
    /// Apollo: Automatic Persisted Queries
    private func persistedDocument(
        of request: GraphQLRequest, named value: InputValue, _ preparation: Preparation,
        _ admitParsing: () throws(RequestError) -> Void
    ) throws(RequestError) -> CachedDocument<Context> {
        guard let persistedQueries else { throw .persistedQueryNotSupported }
        let named: PersistedQuery
        do { named = try PersistedQuery(value) } catch { throw badRequest(error.message) }
        guard let text = request.query else {
            guard let known = persistedQueries[named.hash] else { throw .persistedQueryNotFound }
            return try document(known, preparation, admitParsing)
        }
        let document = try document(text, preparation, admitParsing)
        guard document.hash == named.hash else {
            throw badRequest("The query does not have the digest that it comes with.")
        }
        persistedQueries.insert(text, hash: document.hash)
        return document
    }

    private func badRequest(_ message: String) -> RequestError {
        RequestError([GraphQLError(message, code: .badRequest)])
    }

    private static func prepare(
        _ text: String, _ schema: ExecutableSchema<Context>, _ limits: DocumentLimits, suggestions: Bool,
        observer: (any OperationObserver)?
    ) throws(RequestError) -> CachedDocument<Context> {
        let size = text.utf8.count
        if size > limits.size { throw .documentTooLarge(size, maximum: limits.size) }
        let document: Document
        let begun = ContinuousClock.now
        do {
            document = try parse(Source(text), options: limits.parser)
        } catch {
            observer?.prepared(parsing: begun..<ContinuousClock.now, validation: nil)
            throw RequestError([error])
        }
        let parsed = ContinuousClock.now
        let options = ValidationOptions(suggestions: suggestions)
        let validated = Result { () throws(RequestError) in
            try ValidatedDocument(document, against: schema.schema, options: options)
        }
        observer?.prepared(parsing: begun..<parsed, validation: parsed..<ContinuousClock.now)
        return CachedDocument(try validated.get(), text: text, schema: schema)
    }
}

/// How to prepare a document that is not in the cache.
private struct Preparation {
    /// True where errors suggest names of the schema.
    let suggestions: Bool
    let observer: (any OperationObserver)?
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
