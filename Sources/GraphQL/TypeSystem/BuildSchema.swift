/// Builds the schema that a type-system document describes, and checks it unless it is assumed to be valid.
///
/// - Parameter scalars: the input coercion of custom scalars by name; the others take any value as it came.
/// - Throws: every mistake found, in the order of the document.
/// Spec: 3 Type System
public func buildSchema(
    _ document: Document, scalars: [String: ScalarCoercion] = [:], assumeValid: Bool = false
) throws(RequestError) -> Schema {
    if !assumeValid { try throwIfAny(validateSDL(document)) }
    let builtIn = SchemaDefinitions(try parseOrThrow(BuiltInDefinitions.source))
    let definitions = SchemaDefinitions(document)
    let builder = SchemaBuilder(definitions, builtIn: builtIn, scalars: scalars)
    let draft = try builder.schema()
    if !assumeValid { try throwIfAny(validateSchema(draft, definitions: definitions)) }
    guard DefaultValueCycles(draft).cycles.isEmpty else { return draft }
    let coercion = LiteralCoercion(schema: draft, readsDefaultLiterals: true)
    return try builder.schema { type, literal in try? coercion.coerce(literal, type) }
}

/// The same for a type system that is written in several files. Messages end with the name of the file, line and column
/// of each place; `locations` count within the file.
public func buildSchema(
    sources: [Source], scalars: [String: ScalarCoercion] = [:], assumeValid: Bool = false
) throws(RequestError) -> Schema {
    for source in sources {
        do { _ = try parse(source) } catch {
            throw RequestError([error.naming(source)])
        }
    }
    let joined = JoinedSources(sources)
    do {
        return try buildSchema(try parseOrThrow(joined.source), scalars: scalars, assumeValid: assumeValid)
    } catch {
        throw RequestError(error.errors.map(joined.placed))
    }
}

func parseOrThrow(_ source: Source) throws(RequestError) -> Document {
    do { return try parse(source) } catch { throw RequestError([error]) }
}

private func throwIfAny(_ errors: [GraphQLError]) throws(RequestError) {
    if !errors.isEmpty { throw RequestError(errors) }
}
