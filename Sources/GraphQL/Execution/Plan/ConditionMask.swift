/// The values of the Boolean variables in the conditions of an operation. An operation has one plan for each mask and
/// format.
public struct ConditionMask: Hashable, Sendable {
    let truths: [Bool]
}

/// A variable in the condition of directives. If it has no value, the condition of @defer and @stream is true, since
/// their argument `if` defaults to true, and the condition of @skip and @include is false.
struct ConditionVariable: Hashable, Sendable {
    let name: String
    let isTrueByDefault: Bool

    func isTrue(_ variables: [String: InputValue]) -> Bool {
        guard case .boolean(let value)? = variables[name] else { return isTrueByDefault }
        return value
    }
}

/// The values of the conditions while fields are collected for one mask.
struct Conditions {
    private let truths: [ConditionVariable: Bool]

    init(_ variables: [ConditionVariable], _ mask: ConditionMask) {
        truths = Dictionary(zip(variables, mask.truths), uniquingKeysWith: { first, _ in first })
    }

    /// Spec: 3.13.1 @skip, 3.13.2 @include
    func includes(_ directives: [Directive]) -> Bool {
        for directive in directives {
            switch directive.name.value {
            case "skip" where isTrue(directive): return false
            case "include" where !isTrue(directive): return false
            default: continue
            }
        }
        return true
    }

    /// The @defer or @stream among the directives, unless its condition is false.
    func active(_ name: String, _ directives: [Directive]) -> Directive? {
        guard let directive = directives.first(where: { $0.name.value == name }) else { return nil }
        return isTrue(directive) ? directive : nil
    }

    private func isTrue(_ directive: Directive) -> Bool {
        switch directive.condition {
        case .boolean(let value): value
        case .variable: directive.conditionVariable.flatMap { truths[$0] } ?? false
        default: directive.isIncremental
        }
    }
}

extension Directive {
    fileprivate var condition: Value.Kind? { arguments.first { $0.name.value == "if" }?.value.kind }

    fileprivate var isIncremental: Bool { name.value == "defer" || name.value == "stream" }

    fileprivate var conditionVariable: ConditionVariable? {
        guard name.value == "skip" || name.value == "include" || isIncremental, case .variable(let name) = condition
        else { return nil }
        return ConditionVariable(name: name, isTrueByDefault: isIncremental)
    }
}

/// The variables in the conditions of an operation and of the fragments that it reaches, each once, in the order of the
/// walk, and whether @defer or @stream is used.
func conditionVariables(
    of operation: OperationDefinition, fragments: [String: FragmentDefinition]
) -> (variables: [ConditionVariable], isIncremental: Bool) {
    var variables: [ConditionVariable] = []
    var isIncremental = false
    var visitedFragments: Set<String> = []
    var pending = [operation.selectionSet]
    while let selectionSet = pending.popLast() {
        for selection in selectionSet.selections {
            let directives: [Directive]
            switch selection {
            case .field(let field):
                directives = field.directives
                if let below = field.selectionSet { pending.append(below) }
            case .inlineFragment(let fragment):
                directives = fragment.directives
                pending.append(fragment.selectionSet)
            case .fragmentSpread(let spread):
                directives = spread.directives
                if visitedFragments.insert(spread.name.value).inserted, let fragment = fragments[spread.name.value] {
                    pending.append(fragment.selectionSet)
                }
            }
            for directive in directives {
                if directive.isIncremental { isIncremental = true }
                if let variable = directive.conditionVariable, !variables.contains(variable) {
                    variables.append(variable)
                }
            }
        }
    }
    return (variables, isIncremental)
}
