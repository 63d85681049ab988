/// Executes a query or a mutation whose response comes in one piece.
///
/// - Parameters:
///   - plan: the plan for the variables' condition mask.
///   - variables: coerced values by name.
///   - context: the context of the request.
///   - extensions: the response's `extensions`.
///   - observer: observes the execution, and adds to the extensions.
/// - Throws: only when the task is cancelled, which is checked before and after each round. Errors of fields are part
///   of the response.
/// Spec: 6.2 Executing Operations
public func execute<Context: ExecutionContext>(
    _ plan: Plan<Context>, variables: [String: InputValue], context: Context, extensions: InputObject = InputObject(),
    observer: (any ExecutionObserver)? = nil
) async throws(CancellationError) -> Response {
    let execution = Execution(plan.operation, variables: variables, context: context, observer: observer)
    return try await observed(by: observer) { () async throws(CancellationError) in
        let root = try await execution.executeRootSelectionSet()
        return Response(execution, root, extensions: extensions.adding(observer))
    }
}

/// Executes a query whose fields are all resolved without suspension, such as one for `__typename` or `__schema`.
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
