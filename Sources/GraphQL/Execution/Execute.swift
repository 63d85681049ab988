/// Executes a query or a mutation.
/// - Parameter extensions: the response's, written as they are.
/// - Throws: only when the task is cancelled, between two rounds; errors of fields are part of the response.
/// Spec: 6.2 Executing Operations
public func execute<Context: ExecutionContext>(
    _ plan: Plan<Context>, variables: [String: InputValue], context: Context, extensions: InputObject = InputObject()
) async throws(CancellationError) -> Response {
    let execution = Execution(plan.operation, variables: variables, context: context)
    let root = try await execution.executeRoot()
    return Response(execution, root, extensions: extensions)
}
