/// Spec: 5.6.3 Input Object Field Uniqueness, for defaults and directives in a type-system document
struct UniqueInputFieldNamesInSDL: SDLRule {
    /// The fields seen in each object that encloses the current field, those of the innermost object last.
    private var seen: [[String: Location]] = []

    init(_ context: SDLValidationContext) {}

    mutating func enterObjectValue() { seen.append([:]) }

    mutating func leaveObjectValue() { seen.removeLast() }

    mutating func enter(_ field: ObjectField, _ context: inout SDLValidationContext) {
        let name = field.name.value
        if let first = seen[seen.count - 1][name] {
            context.report("There can be only one input field named \"\(name)\".", at: first, field.name.location)
        } else {
            seen[seen.count - 1][name] = field.name.location
        }
    }
}
