/// The fields of an object type, bound one by one. Each field of the type is bound exactly once.
///
/// A resolver's closure is inlined into the type-erased closure that the engine calls, so that a field costs one call.
public struct ObjectFields<Parent: ObjectValue, Context: ExecutionContext> {
    public private(set) var resolvers: [FieldResolver] = []

    @inlinable
    init() {}

    @usableFromInline
    mutating func add(
        _ name: String, _ shape: OutputShape, takes: FieldResolver.Input, _ resolution: FieldResolver.Resolution
    ) {
        resolvers.append(FieldResolver(name: name, shape: shape, takes: takes, resolution: resolution))
    }

    /// Binds a field whose value a parent holds already, mostly by a key path: `thought.field("text", \.text)`.
    ///
    /// - Parameters:
    ///   - name: the field's name in the schema.
    ///   - resolve: returns the field's value of one parent; an error fails the field of that parent alone.
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

    /// Binds a field that is computed from a parent, the field's arguments and the request's context, without
    /// suspension.
    ///
    /// - Parameters:
    ///   - name: the field's name in the schema.
    ///   - resolve: returns the field's value of one parent; an error fails the field of that parent alone.
    @inline(__always) @inlinable
    public mutating func field<Output: FieldOutput>(
        _ name: String, _ resolve: @escaping @Sendable (Parent, FieldContext<Context>) throws -> Output
    ) {
        field(name, takes: .viewer, resolve)
    }

    /// Binds a `field` whose resolver does not get the viewer. Its value is the same for everybody.
    @inline(__always) @inlinable
    public mutating func field<Output: FieldOutput>(
        _ name: String, for everybody: Context.Everybody.Type,
        _ resolve: @escaping @Sendable (Parent, FieldContext<Context.Everybody>) throws -> Output
    ) {
        field(name, takes: .everybody, resolve)
    }

    @inline(__always) @inlinable
    mutating func field<Output: FieldOutput, Taken: Sendable>(
        _ name: String, takes: FieldResolver.Input,
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

    /// Binds a field whose load is started for all parents of a level in one call. The executor resolves fields that
    /// suspend in rounds, and starts all loads of a round before it awaits the first.
    ///
    /// - Parameters:
    ///   - name: the field's name in the schema.
    ///   - resolve: returns one result for each parent, in the order of the parents. An error fails the field of every
    ///     parent; with a `Result` as the output, parents fail one by one.
    @inlinable
    public mutating func load<Output: FieldOutput>(
        _ name: String,
        _ resolve: @escaping @Sendable ([Parent], FieldContext<Context>) throws -> Pending<[Output]>
    ) {
        load(name, takes: .viewer, plan: { _ in () }, { parents, _, context in try resolve(parents, context) })
    }

    /// Binds a `load` whose resolver gets a variant. `plan` chooses the variant by the selection below the field, once
    /// for each execution plan.
    @inlinable
    public mutating func load<Output: FieldOutput, Variant: Sendable>(
        _ name: String, plan: @escaping @Sendable (FieldSelection) -> Variant,
        _ resolve: @escaping @Sendable ([Parent], Variant, FieldContext<Context>) throws -> Pending<[Output]>
    ) {
        load(name, takes: .viewer, plan: plan, resolve)
    }

    /// Binds a `load` whose resolver does not get the viewer. Its values are the same for everybody.
    @inlinable
    public mutating func load<Output: FieldOutput>(
        _ name: String, for everybody: Context.Everybody.Type,
        _ resolve: @escaping @Sendable ([Parent], FieldContext<Context.Everybody>) throws -> Pending<[Output]>
    ) {
        load(name, takes: .everybody, plan: { _ in () }, { parents, _, context in try resolve(parents, context) })
    }

    /// Binds a `load` that awaits work which the parents have started already. The resolver takes no context.
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
        _ name: String, takes: FieldResolver.Input, plan: @escaping @Sendable (FieldSelection) -> Variant,
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

    /// Binds a field that is resolved for all parents of a level in one call, which may suspend. If a round has several
    /// such fields, each call runs in a child task.
    ///
    /// - Parameters:
    ///   - name: the field's name in the schema.
    ///   - resolve: returns one result for each parent, in the order of the parents. An error fails the field of every
    ///     parent; with a `Result` as the output, parents fail one by one.
    @inlinable
    public mutating func batch<Output: FieldOutput>(
        _ name: String,
        _ resolve: @escaping @Sendable ([Parent], FieldContext<Context>) async throws -> [Output]
    ) {
        batch(name, plan: { _ in () }, { parents, _, context in try await resolve(parents, context) })
    }

    /// Binds a `batch` whose resolver gets a variant. `plan` chooses the variant by the selection below the field, once
    /// for each execution plan.
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

    /// Binds a field of the subscription type: each event is the field's value in one response.
    ///
    /// - Parameters:
    ///   - name: the field's name in the schema.
    ///   - subscribe: creates the source stream; an error refuses the subscription.
    /// Spec: 6.2.3.1 Source Stream
    @inlinable
    public mutating func stream<Events: AsyncSequence & Sendable>(
        _ name: String, _ subscribe: @escaping @Sendable (FieldContext<Context>) async throws -> Events
    ) where Events.Element: FieldOutput {
        stream(name, plan: { _ in () }, { _, context in try await subscribe(context) })
    }

    /// Binds a `stream` whose resolver gets a variant. `plan` chooses the variant by the selection below the field,
    /// once for each execution plan.
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

    /// Binds a field of the subscription type whose events many subscribers receive at once. For each ``EventAudience``
    /// a selection is executed once.
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

    /// Binds a field of the subscription type whose subscribers need no task while there is no event.
    @inlinable
    public mutating func stream<Events: ParkableEvents, Variant: Sendable>(
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

extension ObjectFields where Parent == Root {
    /// Binds a field of the query root that tells how recent the response's data are, such as a position in a log. The
    /// field is resolved before every other field of the operation, even if it is delivered after them.
    @inlinable
    public mutating func snapshot<Output: FieldOutput>(
        _ name: String, _ resolve: @escaping @Sendable (FieldContext<Context>) throws -> Output
    ) {
        add(
            name, Output.outputShape, takes: .viewer,
            .snapshot { _, rows, context in
                let context = unsafeDowncast(context, to: FieldContext<Context>.self)
                return Output.completeRows(rows) { _ in try resolve(context) }
            })
    }
}
