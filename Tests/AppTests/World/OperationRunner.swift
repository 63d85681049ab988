import GraphQL

@testable import App

/// Runs operations on the domain's schema as a server does, from their text to the response's bytes.
enum OperationRunner {
    static let schema = Result { try Domain.executableSchema() }

    static func respond(
        _ text: String, _ variables: InputObject, _ context: RequestContext
    ) async throws -> Response {
        let schema = try schema.get()
        do {
            let document = try parse(Source(text))
            let errors = validate(document, against: schema.schema)
            guard errors.isEmpty else { return Response(RequestError(errors)) }
            let prepared = try PreparedOperation(document, operationName: nil, schema: schema)
            let coerced = try coerceVariableValues(
                schema.schema, prepared.operation.variableDefinitions, variables, source: document.source)
            return try await GraphQL.execute(
                prepared.plan(for: prepared.mask(for: coerced)), variables: coerced, context: context)
        } catch let error as GraphQLError {
            return Response(RequestError([error]))
        } catch let error as RequestError {
            return Response(error)
        }
    }
}
