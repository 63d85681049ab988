/// Spec: 5.7.3 Directives Are Unique per Location
struct UniqueDirectivesPerLocation: ValidationRule {
    func enter(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        check(operation.directives, &context)
    }

    func enter(_ fragment: FragmentDefinition, _ context: inout ValidationContext) {
        check(fragment.directives, &context)
    }

    func enter(_ definition: VariableDefinition, _ context: inout ValidationContext) {
        check(definition.directives, &context)
    }

    func enter(_ field: Field, _ context: inout ValidationContext) { check(field.directives, &context) }

    func enter(_ spread: FragmentSpread, _ context: inout ValidationContext) { check(spread.directives, &context) }

    func enter(_ fragment: InlineFragment, _ context: inout ValidationContext) { check(fragment.directives, &context) }

    @inline(__always)
    private func check(_ directives: [Directive], _ context: inout ValidationContext) {
        if directives.count > 1 { checkSeveral(directives, &context) }
    }

    private func checkSeveral(_ directives: [Directive], _ context: inout ValidationContext) {
        var first: [String: Location] = [:]
        for directive in directives {
            let name = directive.name.value
            guard let definition = context.schema.directive(named: name), !definition.isRepeatable else { continue }
            if let location = first[name] {
                context.report(Self.repeated(name), at: location, directive.location)
            } else {
                first[name] = directive.location
            }
        }
    }

    static func repeated(_ name: String) -> String {
        "The directive \"@\(name)\" can only be used once at this location."
    }
}
