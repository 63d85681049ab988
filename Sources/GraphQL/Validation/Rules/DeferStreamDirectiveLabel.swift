/// Spec: incremental delivery, 5.7.6 Defer And Stream Directive Labels Are Unique
struct DeferStreamDirectiveLabel: ValidationRule {
    private var known: [String: Location] = [:]

    mutating func enter(_ directive: Directive, at location: DirectiveLocation, _ context: inout ValidationContext) {
        guard directive.isDeferOrStream,
            let label = directive.arguments.first(where: { $0.name.value == "label" })?.value
        else { return }
        switch label.kind {
        case .null: return
        case .string(let text):
            if let first = known[text.value] {
                context.report(
                    "Value for arguments \"defer(label:)\" and \"stream(label:)\" must be unique across all "
                        + "Defer/Stream directive usages.", at: first, directive.location)
            } else {
                known[text.value] = directive.location
            }
        default:
            context.report(
                "Argument \"@\(directive.name.value)(label:)\" must be a static string.", at: directive.location)
        }
    }
}
