/// Spec: 5.5.2.1 Fragment Spread Target Defined
struct KnownFragmentNames: ValidationRule {
    func enter(_ spread: FragmentSpread, _ context: inout ValidationContext) {
        if context.fragmentOfSpread == nil {
            context.report("Unknown fragment \"\(spread.name.value)\".", at: spread.name.location)
        }
    }
}
