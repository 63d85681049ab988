import GraphQL

@testable import App

/// Runs operations on the domain's schema as a server does, from their text to the response's bytes.
enum OperationRunner {
    static let schema = Result { try Domain.executableSchema() }

    static func respond(
        _ text: String, _ variables: InputObject, _ context: RequestContext
    ) async throws -> Response {
        do {
            return try await respond(prepare(text), variables, context)
        } catch let error as GraphQLError {
            return Response(RequestError([error]))
        } catch let error as RequestError {
            return Response(error)
        }
    }

    /// Throws: `GraphQLError` or `RequestError` for an operation that cannot run.
    static func prepare(_ text: String) throws -> PreparedOperation<RequestContext> {
        let schema = try schema.get()
        let document = try parse(Source(text))
        let errors = validate(document, against: schema.schema)
        guard errors.isEmpty else { throw RequestError(errors) }
        return try PreparedOperation(document, operationName: nil, schema: schema)
    }

    static func respond(
        _ prepared: PreparedOperation<RequestContext>, _ variables: InputObject, _ context: RequestContext
    ) async throws -> Response {
        let coerced = try coerceVariableValues(
            schema.get().schema, prepared.operation.variableDefinitions, variables, source: prepared.document.source)
        return try await GraphQL.execute(
            prepared.plan(for: prepared.mask(for: coerced)), variables: coerced, context: context)
    }
}
