/// Spec: 5.1.1 Executable Definitions
struct ExecutableDefinitions: ValidationRule {
    func enter(_ document: Document, _ context: inout ValidationContext) {
        for definition in document.definitions {
            switch definition {
            case .operation, .fragment: break
            case .schema(let schema), .schemaExtension(let schema): report("schema", schema.location, &context)
            case .type(let type), .typeExtension(let type):
                report("\"\(type.name.value)\"", type.location, &context)
            case .directive(let directive): report("\"\(directive.name.value)\"", directive.location, &context)
            }
        }
    }

    private func report(_ what: String, _ location: Location, _ context: inout ValidationContext) {
        context.report("The \(what) definition is not executable.", at: location)
    }
}
