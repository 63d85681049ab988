/// A rule for type-system documents. One traversal calls all rules at each node, so that their errors come in document
/// order.
protocol SDLRule: SendableMetatype {
    init(_ context: SDLValidationContext)

    mutating func enter(_ schema: SchemaDefinition, isExtension: Bool, _ context: inout SDLValidationContext)
    mutating func enter(_ type: TypeDefinition, isExtension: Bool, _ context: inout SDLValidationContext)
    mutating func enter(_ directive: DirectiveDefinition, _ context: inout SDLValidationContext)
    /// Called for each field, argument, input field and enum value, with the directives applied to it.
    mutating func enter(memberWith directives: [Directive], _ context: inout SDLValidationContext)
    mutating func enter(_ type: NamedTypeNode, _ context: inout SDLValidationContext)
    mutating func enter(_ directive: Directive, at location: DirectiveLocation, _ context: inout SDLValidationContext)
    mutating func leave(_ directive: Directive, _ context: inout SDLValidationContext)
    mutating func enterObjectValue()
    mutating func leaveObjectValue()
    mutating func enter(_ field: ObjectField, _ context: inout SDLValidationContext)
}

extension SDLRule {
    func enter(_ schema: SchemaDefinition, isExtension: Bool, _ context: inout SDLValidationContext) {}
    func enter(_ type: TypeDefinition, isExtension: Bool, _ context: inout SDLValidationContext) {}
    func enter(_ directive: DirectiveDefinition, _ context: inout SDLValidationContext) {}
    func enter(memberWith directives: [Directive], _ context: inout SDLValidationContext) {}
    func enter(_ type: NamedTypeNode, _ context: inout SDLValidationContext) {}
    func enter(_ directive: Directive, at location: DirectiveLocation, _ context: inout SDLValidationContext) {}
    func leave(_ directive: Directive, _ context: inout SDLValidationContext) {}
    func enterObjectValue() {}
    func leaveObjectValue() {}
    func enter(_ field: ObjectField, _ context: inout SDLValidationContext) {}
}

/// The rules for type-system documents. A rule is registered by its line here. At one node the errors come in this
/// order.
let specifiedSDLRules: [any SDLRule.Type] = [
    LoneSchemaDefinition.self,
    UniqueOperationTypes.self,
    UniqueTypeNames.self,
    UniqueEnumValueNames.self,
    UniqueFieldDefinitionNames.self,
    UniqueArgumentDefinitionNames.self,
    UniqueDirectiveNames.self,
    KnownTypeNamesInSDL.self,
    KnownDirectivesInSDL.self,
    UniqueDirectivesPerLocationInSDL.self,
    PossibleTypeExtensions.self,
    KnownArgumentNamesOnDirectives.self,
    UniqueArgumentNamesInSDL.self,
    UniqueInputFieldNamesInSDL.self,
    ProvidedRequiredArgumentsOnDirectives.self,
]
