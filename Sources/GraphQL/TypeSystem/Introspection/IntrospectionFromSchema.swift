/// The response of a server with this schema to ``introspectionQuery``, as UTF-8 JSON: `{"data":{"__schema":…}}`. The
/// schema needs no bindings.
public func introspectionFromSchema(_ schema: Schema) async throws -> [UInt8] {
    try await introspect(schema, Source(introspectionQuery)).body
}

/// Executes a query of `__schema` and `__type` for a schema without bindings. The query runs in another schema, whose
/// introspection describes this one.
func introspect(_ schema: Schema, _ query: Source) async throws -> Response {
    let host = try buildSchema(try parse(Source("type Query { nothing: Boolean }")))
    let executable = try ExecutableSchema<NoContext>(
        schema: host,
        bindings: [ObjectBinding<Root, NoContext>("Query") { query in query.field("nothing") { _ in nil as Bool? } }],
        introspecting: schema)
    let operation = try PreparedOperation(try parse(query), operationName: nil, schema: executable)
    let plan = try operation.plan(for: operation.mask(for: [:]))
    return try await execute(plan, variables: [:], context: NoContext())
}

private struct NoContext: ExecutionContext {
    func executionError(for error: any Error) -> ExecutionError {
        error as? ExecutionError ?? ExecutionError("Internal server error", code: .internalServerError)
    }
}
