/// Spec: 5.4.2 Argument Uniqueness
struct UniqueArgumentNames: ValidationRule {
    func enter(_ field: Field, _ context: inout ValidationContext) { check(field.arguments, &context) }

    func enter(_ directive: Directive, at location: DirectiveLocation, _ context: inout ValidationContext) {
        check(directive.arguments, &context)
    }

    @inline(__always)
    private func check(_ arguments: [Argument], _ context: inout ValidationContext) {
        if arguments.count > 1 { checkSeveral(arguments, &context) }
    }

    private func checkSeveral(_ arguments: [Argument], _ context: inout ValidationContext) {
        for repeats in arguments.repeated(by: \.name.value) {
            context.report(Self.repeated(repeats[0].name.value), at: repeats.map(\.name.location))
        }
    }

    static func repeated(_ name: String) -> String { "There can be only one argument named \"\(name)\"." }
}
