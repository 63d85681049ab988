/// The context in which SDL rules check a type-system document: the document, the schema that it extends, the
/// directives that it may apply, and the errors found so far.
struct SDLValidationContext {
    let document: Document
    /// The schema that the document extends; nil where it stands alone.
    let schema: Schema?
    /// The directives that the document may apply: its own, and those of `schema`. Without a schema, its own and the
    /// built-in ones, `@defer` and `@stream` among them.
    let directives: [String: SDLDirective]
    private(set) var errors: [GraphQLError] = []

    init(_ document: Document, extending schema: Schema?, specifiedDirectives: [DirectiveDefinition]) {
        self.document = document
        self.schema = schema
        var directives: [String: SDLDirective] = [:]
        if let schema {
            for directive in schema.directives { directives[directive.name] = SDLDirective(directive, of: schema) }
        } else {
            for directive in specifiedDirectives { directives[directive.name.value] = SDLDirective(directive) }
        }
        for case .directive(let directive) in document.definitions {
            directives[directive.name.value] = SDLDirective(directive)
        }
        self.directives = directives
    }

    mutating func report(_ message: String, at locations: Location...) {
        report(message, at: locations)
    }

    mutating func report(_ message: String, at locations: [Location]) {
        errors.append(GraphQLError(message, locations: locations.map(document.source.location(of:))))
    }
}

/// A directive's definition, from a schema or from a document.
struct SDLDirective {
    let locations: [String]
    let isRepeatable: Bool
    let arguments: [(name: String, type: String, isRequired: Bool)]

    init(_ directive: DirectiveType, of schema: Schema) {
        locations = directive.locations.map(\.rawValue)
        isRepeatable = directive.isRepeatable
        arguments = directive.arguments.map { ($0.name, schema.notation(of: $0.type), $0.isRequired) }
    }

    init(_ directive: DirectiveDefinition) {
        locations = directive.locations.map(\.value)
        isRepeatable = directive.isRepeatable
        arguments = directive.arguments.map { argument in
            let isNonNull = if case .nonNull = argument.type { true } else { false }
            return (argument.name.value, argument.type.printed, isNonNull && argument.defaultValue == nil)
        }
    }
}
