/// Spec: 5.5.1.1 Fragment Name Uniqueness
struct UniqueFragmentNames: ValidationRule {
    private var known: [String: Location] = [:]

    mutating func enter(_ fragment: FragmentDefinition, _ context: inout ValidationContext) {
        let name = fragment.name
        if let first = known[name.value] {
            context.report("There can be only one fragment named \"\(name.value)\".", at: first, name.location)
        } else {
            known[name.value] = name.location
        }
    }
}
