/// Executes a query or a mutation whose response is to come in one piece.
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

/// Executes a query none of whose fields waits for anything, such as one for names of types, in the caller's own time.
/// - Returns: nil for every other operation; nothing of it was executed then.
public func executeWithoutWaiting<Context: ExecutionContext>(
    _ plan: Plan<Context>, variables: [String: InputValue], context: Context, extensions: InputObject = InputObject()
) -> Response? {
    guard !plan.operation.waits, plan.format == nil else { return nil }
    let execution = Execution(plan.operation, variables: variables, context: context)
    return Response(execution, execution.executeRootWithoutWaiting(), extensions: extensions)
}
