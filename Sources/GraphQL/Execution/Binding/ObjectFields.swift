/// The fields of an object type, bound one by one. `ObjectBinding` says which of them are shared between viewers.
///
/// A closure is inlined into the erased one that the engine calls, so that a field's cost is one call.
public struct ObjectFields<Parent: ObjectValue, Context: ExecutionContext> {
    public private(set) var resolvers: [FieldResolver] = []

    @inlinable
    init() {}

    @usableFromInline
    mutating func add(
        _ name: String, _ shape: OutputShape, takes: FieldResolver.Takes, _ resolution: FieldResolver.Resolution
    ) {
        resolvers.append(FieldResolver(name: name, shape: shape, takes: takes, resolution: resolution))
    }

    /// What a parent has already: no suspension, any output.
    @inline(__always) @inlinable
    public mutating func field<Output: FieldOutput>(
        _ name: String, _ resolve: @escaping @Sendable (Parent) throws -> Output
    ) {
        add(
            name, Output.outputShape, takes: .nothing,
            .value(
                { parents, row, _, json in
                    try resolve(Column<Parent>.of(parents).values[row]).writeOutput(to: &json)
                },
                { parents, rows, _ in
                    let parents = Column<Parent>.of(parents).values
                    return Output.completeRows(rows) { row in try resolve(parents[row]) }
                }))
    }

    /// What follows from a parent, the field's arguments and the request's context without suspension.
    @inline(__always) @inlinable
    public mutating func field<Output: FieldOutput>(
        _ name: String, _ resolve: @escaping @Sendable (Parent, FieldContext<Context>) throws -> Output
    ) {
        field(name, takes: .viewer, resolve)
    }

    /// The same without the viewer: the value is the same for everybody.
    @inline(__always) @inlinable
    public mutating func field<Output: FieldOutput>(
        _ name: String, for everybody: Context.Everybody.Type,
        _ resolve: @escaping @Sendable (Parent, FieldContext<Context.Everybody>) throws -> Output
    ) {
        field(name, takes: .everybody, resolve)
    }

    @inline(__always) @inlinable
    mutating func field<Output: FieldOutput, Taken: Sendable>(
        _ name: String, takes: FieldResolver.Takes,
        _ resolve: @escaping @Sendable (Parent, FieldContext<Taken>) throws -> Output
    ) {
        add(
            name, Output.outputShape, takes: takes,
            .value(
                { parents, row, context, json in
                    let context = unsafeDowncast(context, to: FieldContext<Taken>.self)
                    try resolve(Column<Parent>.of(parents).values[row], context).writeOutput(to: &json)
                },
                { parents, rows, context in
                    let parents = Column<Parent>.of(parents).values
                    let context = unsafeDowncast(context, to: FieldContext<Taken>.self)
                    return Output.completeRows(rows) { row in try resolve(parents[row], context) }
                }))
    }

    /// Started for the whole level at once, together with all other loads of the level, and awaited later.
    /// One result a parent, in the parents' order; what is thrown fails the field of every parent.
    @inlinable
    public mutating func load<Output: FieldOutput>(
        _ name: String,
        _ resolve: @escaping @Sendable ([Parent], FieldContext<Context>) throws -> Pending<[Output]>
    ) {
        load(name, takes: .viewer, plan: { _ in () }, { parents, _, context in try resolve(parents, context) })
    }

    /// The same, with a variant chosen by what is selected below the field, once an operation is planned.
    @inlinable
    public mutating func load<Output: FieldOutput, Variant: Sendable>(
        _ name: String, plan: @escaping @Sendable (FieldSelection) -> Variant,
        _ resolve: @escaping @Sendable ([Parent], Variant, FieldContext<Context>) throws -> Pending<[Output]>
    ) {
        load(name, takes: .viewer, plan: plan, resolve)
    }

    /// The same without the viewer: the value is the same for everybody.
    @inlinable
    public mutating func load<Output: FieldOutput>(
        _ name: String, for everybody: Context.Everybody.Type,
        _ resolve: @escaping @Sendable ([Parent], FieldContext<Context.Everybody>) throws -> Pending<[Output]>
    ) {
        load(name, takes: .everybody, plan: { _ in () }, { parents, _, context in try resolve(parents, context) })
    }

    /// The same for work that the parents have started already: no context.
    @inlinable
    public mutating func load<Output: FieldOutput>(
        _ name: String, _ resolve: @escaping @Sendable ([Parent]) throws -> Pending<[Output]>
    ) {
        let start: FieldResolver.Start = { parents, _ in
            let parents = Column<Parent>.of(parents).values
            let count = parents.count
            return try resolve(parents).map { try Output.completeLevel($0, of: count, field: name) }
        }
        add(name, Output.outputShape, takes: .nothing, .load({ _ in start }))
    }

    @inlinable
    mutating func load<Output: FieldOutput, Variant: Sendable, Taken: Sendable>(
        _ name: String, takes: FieldResolver.Takes, plan: @escaping @Sendable (FieldSelection) -> Variant,
        _ resolve: @escaping @Sendable ([Parent], Variant, FieldContext<Taken>) throws -> Pending<[Output]>
    ) {
        let start: @Sendable (FieldSelection) -> FieldResolver.Start = { selection in
            let variant = plan(selection)
            return { parents, context in
                let parents = Column<Parent>.of(parents).values
                let count = parents.count
                return try resolve(parents, variant, unsafeDowncast(context, to: FieldContext<Taken>.self))
                    .map { try Output.completeLevel($0, of: count, field: name) }
            }
        }
        add(name, Output.outputShape, takes: takes, .load(start))
    }

    /// Called for the whole level at once; free to suspend. A child task only where a level has several such fields.
    /// One result a parent, in the parents' order; what is thrown fails the field of every parent.
    @inlinable
    public mutating func batch<Output: FieldOutput>(
        _ name: String,
        _ resolve: @escaping @Sendable ([Parent], FieldContext<Context>) async throws -> [Output]
    ) {
        batch(name, plan: { _ in () }, { parents, _, context in try await resolve(parents, context) })
    }

    /// The same, with a variant chosen by what is selected below the field, once an operation is planned.
    @inlinable
    public mutating func batch<Output: FieldOutput, Variant: Sendable>(
        _ name: String, plan: @escaping @Sendable (FieldSelection) -> Variant,
        _ resolve: @escaping @Sendable ([Parent], Variant, FieldContext<Context>) async throws -> [Output]
    ) {
        let run: @Sendable (FieldSelection) -> FieldResolver.Run = { selection in
            let variant = plan(selection)
            return { parents, context in
                let parents = Column<Parent>.of(parents).values
                let context = unsafeDowncast(context, to: FieldContext<Context>.self)
                let results = try await resolve(parents, variant, context)
                return try Output.completeLevel(results, of: parents.count, field: name)
            }
        }
        add(name, Output.outputShape, takes: .viewer, .batch(run))
    }

    /// A field of the subscription root: each event is the field's value in one response.
    /// Spec: 6.2.3.1 Source Stream
    @inlinable
    public mutating func stream<Events: AsyncSequence & Sendable>(
        _ name: String, _ subscribe: @escaping @Sendable (FieldContext<Context>) async throws -> Events
    ) where Events.Element: FieldOutput {
        stream(name, plan: { _ in () }, { _, context in try await subscribe(context) })
    }

    /// The same, with a variant chosen by what is selected below the field, once an operation is planned.
    @inlinable
    public mutating func stream<Events: AsyncSequence & Sendable, Variant: Sendable>(
        _ name: String, plan: @escaping @Sendable (FieldSelection) -> Variant,
        _ subscribe: @escaping @Sendable (Variant, FieldContext<Context>) async throws -> Events
    ) where Events.Element: FieldOutput {
        let open: @Sendable (FieldSelection) -> FieldResolver.Open = { selection in
            let variant = plan(selection)
            return { context in
                SourceEventStream(
                    try await subscribe(variant, unsafeDowncast(context, to: FieldContext<Context>.self)))
            }
        }
        add(
            name, Events.Element.outputShape, takes: .viewer,
            .stream(open, of: SwiftType(Events.Element.self)))
    }

    /// The same for events that many subscribers get at once.
    @inlinable
    public mutating func stream<Events: AsyncSequence & Sendable, Variant: Sendable>(
        _ name: String, plan: @escaping @Sendable (FieldSelection) -> Variant,
        _ subscribe: @escaping @Sendable (Variant, FieldContext<Context>) async throws -> Events
    ) where Events.Element: SharedEvent, Events.Element.Context == Context {
        let open: @Sendable (FieldSelection) -> FieldResolver.Open = { selection in
            let variant = plan(selection)
            return { context in
                SourceEventStream(
                    try await subscribe(variant, unsafeDowncast(context, to: FieldContext<Context>.self)))
            }
        }
        add(
            name, Events.Element.outputShape, takes: .viewer,
            .stream(open, of: SwiftType(Events.Element.self)))
    }

    /// The same, whose subscribers rest while there are none.
    @inlinable
    public mutating func stream<Events: RestingEvents, Variant: Sendable>(
        _ name: String, plan: @escaping @Sendable (FieldSelection) -> Variant,
        _ subscribe: @escaping @Sendable (Variant, FieldContext<Context>) async throws -> Events
    ) where Events.Element.Context == Context {
        let open: @Sendable (FieldSelection) -> FieldResolver.Open = { selection in
            let variant = plan(selection)
            return { context in
                SourceEventStream(
                    try await subscribe(variant, unsafeDowncast(context, to: FieldContext<Context>.self)))
            }
        }
        add(
            name, Events.Element.outputShape, takes: .viewer,
            .stream(open, of: SwiftType(Events.Element.self)))
    }
}
