/// Executes a query or a mutation whose response comes in one piece.
///
/// - Parameters:
///   - plan: the plan for the variables' condition mask.
///   - variables: coerced values by name.
///   - context: the context of the request.
///   - extensions: the response's `extensions`.
///   - observer: is told of the fields that suspend, and adds to the extensions.
/// - Throws: only when the task is cancelled, between two rounds. Errors of fields are part of the response.
/// Spec: 6.2 Executing Operations
public func execute<Context: ExecutionContext>(
    _ plan: Plan<Context>, variables: [String: InputValue], context: Context, extensions: InputObject = InputObject(),
    observer: (any ExecutionObserver)? = nil
) async throws(CancellationError) -> Response {
    let execution = Execution(plan.operation, variables: variables, context: context, observer: observer)
    let root = try await execution.executeRootSelectionSet()
    return Response(execution, root, extensions: extensions.adding(observer))
}

/// Executes a query without suspension, such as a query for names of types.
///
/// - Parameters:
///   - plan: the plan for the variables' condition mask.
///   - variables: coerced values by name.
///   - context: the context of the request.
///   - extensions: the response's `extensions`.
/// - Returns: nil, with nothing executed, for a mutation, a subscription, a query with a field that suspends, and a
///   plan with a format of incremental delivery.
public func executeWithoutWaiting<Context: ExecutionContext>(
    _ plan: Plan<Context>, variables: [String: InputValue], context: Context, extensions: InputObject = InputObject()
) -> Response? {
    guard !plan.operation.waits, plan.format == nil else { return nil }
    let execution = Execution(plan.operation, variables: variables, context: context)
    return Response(execution, execution.executeRootSelectionSetWithoutWaiting(), extensions: extensions)
}
