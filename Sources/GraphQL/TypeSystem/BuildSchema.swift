/// Builds the schema that a type-system document defines.
///
/// - Parameters:
///   - document: the document.
///   - scalars: the input coercion of custom scalars by name; custom scalars without one take any value.
///   - assumeValid: true where the document is known to be valid; it is then not checked.
/// - Throws: the mistakes that ``validateSDL(_:extending:)`` finds in the document, in its order; if there are none,
///   the mistakes in the schema that it defines.
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

/// Builds the schema that several files define together.
///
/// - Parameters:
///   - sources: the files, each with its name.
///   - scalars: the input coercion of custom scalars by name; custom scalars without one take any value.
///   - assumeValid: true where the files are known to be valid; they are then not checked.
/// - Throws: the first syntax error; if every file parses, the mistakes in all of them. A message ends with the file,
///   line and column of each place; `locations` count within the file.
/// Spec: 3 Type System
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
