/// Spec: incremental delivery, 5.7.4 Defer And Stream Directives Are Used On Valid Root Field
struct DeferStreamDirectiveOnRootField: ValidationRule {
    func enter(_ directive: Directive, at location: DirectiveLocation, _ context: inout ValidationContext) {
        guard directive.isDeferOrStream, let parentType = context.parentType else { return }
        let schema = context.schema
        for (root, kind) in [(schema.mutationType, "mutation"), (schema.subscriptionType, "subscription")]
        where root == parentType {
            context.report(
                "\(directive.capitalizedName) directive cannot be used on root \(kind) type "
                    + "\"\(schema[parentType].name)\".", at: directive.location)
        }
    }
}

extension Directive {
    var isDeferOrStream: Bool { name.value == "defer" || name.value == "stream" }

    /// Of @defer and @stream.
    var capitalizedName: String { name.value == "defer" ? "Defer" : "Stream" }
}
