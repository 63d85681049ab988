/// Checks a type-system document by itself, before a schema is built from it.
///
/// - Parameters:
///   - document: the document.
///   - schema: the schema that the document extends; nil where it stands alone.
/// - Returns: the mistakes in the order in which a walk through the document finds them; none for a valid document.
/// Spec: 3 Type System
public func validateSDL(_ document: Document, extending schema: Schema? = nil) -> [GraphQLError] {
    validateSDL(document, extending: schema, rules: specifiedSDLRules)
}

func validateSDL(
    _ document: Document, extending schema: Schema? = nil, rules: [any SDLRule.Type]
) -> [GraphQLError] {
    let specified: [DirectiveDefinition]
    do {
        specified = SchemaDefinitions(try parse(BuiltInDefinitions.source)).directives
    } catch {
        return [error]
    }
    let context = SDLValidationContext(document, extending: schema, specifiedDirectives: specified)
    var traversal = SDLTraversal(rules: rules, context: context)
    traversal.visit()
    return traversal.context.errors
}
