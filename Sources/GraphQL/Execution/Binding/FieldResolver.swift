/// The resolver of one field, with its Swift types erased. ``ObjectFields`` makes it.
public struct FieldResolver: Sendable {
    let name: String
    let shape: OutputShape
    let takes: Input
    let resolution: Resolution

    @usableFromInline
    init(name: String, shape: OutputShape, takes: Input, resolution: Resolution) {
        self.name = name
        self.shape = shape
        self.takes = takes
        self.resolution = resolution
    }

    /// True where the value is the same for everybody who sees the parent, if the parent is a `SharedObject`.
    var isShared: Bool { takes != .viewer && !shape.isPersonal }
}

extension FieldResolver {
    /// The input that a resolver takes besides its parents.
    @usableFromInline
    enum Input: Sendable {
        /// The resolver receives a placeholder.
        case nothing
        /// A `FieldContext` of the context's `Everybody`.
        case everybody
        /// A `FieldContext` of the whole context.
        case viewer
    }

    /// Writes the leaf of one parent.
    @usableFromInline
    typealias Write = @Sendable (_ parents: AnyColumn, _ row: Int, AnyFieldContext, inout JSONWriter) throws -> Void
    /// Resolves some rows of the parents, without suspension.
    @usableFromInline
    typealias Expand = @Sendable (_ parents: AnyColumn, _ rows: Range<Int>, AnyFieldContext) -> CompletedColumn
    /// Starts a load for all parents.
    @usableFromInline
    typealias Start = @Sendable (_ parents: AnyColumn, AnyFieldContext) throws -> Pending<CompletedColumn>
    /// Resolves all parents, and may suspend.
    @usableFromInline
    typealias Run = @Sendable (_ parents: AnyColumn, AnyFieldContext) async throws -> CompletedColumn
    /// Creates the source stream of a subscription.
    @usableFromInline
    typealias Open = @Sendable (AnyFieldContext) async throws -> SourceEventStream

    @usableFromInline
    enum Resolution: Sendable {
        case value(Write, Expand)
        /// A field of the root, resolved before every other field of the operation.
        case snapshot(Expand)
        /// A load, a batch and a stream are given the selection below the field when an operation is planned.
        case load(@Sendable (FieldSelection) -> Start)
        case batch(@Sendable (FieldSelection) -> Run)
        case stream(@Sendable (FieldSelection) -> Open, of: SwiftType)
    }
}

/// A load or batch resolver returned more or fewer results than it was given parents. This is a bug in the schema's
/// implementation; the error is masked like any other.
public struct ResultCountMismatch: Error, Equatable {
    public let field: String
    public let parents: Int
    public let results: Int

    @usableFromInline
    init(field: String, parents: Int, results: Int) {
        self.field = field
        self.parents = parents
        self.results = results
    }
}

extension FieldOutput {
    @inlinable
    static func completeLevel(_ values: [Self], of parents: Int, field: String) throws -> CompletedColumn {
        guard values.count == parents else {
            throw ResultCountMismatch(field: field, parents: parents, results: values.count)
        }
        return completeOutput(values)
    }

    /// Resolves row by row. A row that throws fails alone.
    @inlinable
    static func completeRows(_ rows: Range<Int>, _ resolve: (Int) throws -> Self) -> CompletedColumn {
        var values: [Self] = []
        values.reserveCapacity(rows.count)
        do {
            for row in rows { values.append(try resolve(row)) }
            return completeOutput(values)
        } catch {
            var results: [Result<Self, any Error>] = values.map { .success($0) }
            results.append(.failure(error))
            for row in rows.dropFirst(results.count) { results.append(Result { try resolve(row) }) }
            return Result<Self, any Error>.completeOutput(results)
        }
    }
}
