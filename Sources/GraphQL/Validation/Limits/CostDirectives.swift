/// The arguments of the `@listSize` of a field.
/// Spec: GraphQL Cost Directives, 3.2 The List Size Directive
struct ListSize: Sendable {
    var assumedSize: Double?
    var slicingArguments: [String] = []
    var sizedFields: [String] = []
    var requireOneSlicingArgument = true

    init?(_ directives: [Directive]) {
        guard let directive = directives.first(where: { $0.name.value == "listSize" }) else { return nil }
        for argument in directive.arguments {
            let value = InputValue(literal: argument.value)
            switch (argument.name.value, value) {
            case ("assumedSize", .int(let size)): assumedSize = Double(size)
            case ("slicingArguments", .list(let names)): slicingArguments = names.compactMap(\.text)
            case ("sizedFields", .list(let names)): sizedFields = names.compactMap(\.text)
            case ("requireOneSlicingArgument", .boolean(let value)): requireOneSlicingArgument = value
            default: break
            }
        }
    }
}

extension [Directive] {
    /// The weight of `@cost`; nil without one, and where it is no finite number.
    /// Spec: GraphQL Cost Directives, 3.1 The Cost Directive
    var costWeight: Double? {
        guard let directive = first(where: { $0.name.value == "cost" }),
            let argument = directive.arguments.first(where: { $0.name.value == "weight" }),
            case .string(let weight) = argument.value.kind
        else { return nil }
        return Double(weight.value).flatMap { $0.isFinite ? $0 : nil }
    }
}

extension InputValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
