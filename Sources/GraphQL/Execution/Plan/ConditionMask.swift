/// The truth of each Boolean variable that an operation's @skip and @include ask for: what tells its plans apart.
public struct ConditionMask: Hashable, Sendable {
    let truths: [Bool]
}

/// The values of the conditions while fields are collected for one mask.
struct Conditions {
    private let truths: [String: Bool]

    init(_ variables: [String], _ mask: ConditionMask) {
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

    private func isTrue(_ directive: Directive) -> Bool {
        switch directive.condition {
        case .boolean(let value): value
        case .variable(let name): truths[name] ?? false
        default: false
        }
    }
}

extension Directive {
    fileprivate var condition: Value.Kind? { arguments.first { $0.name.value == "if" }?.value.kind }

    fileprivate var conditionVariable: String? {
        guard name.value == "skip" || name.value == "include", case .variable(let name) = condition else { return nil }
        return name
    }
}

/// The variables in conditions of an operation and of the fragments that it reaches, in the order of their first use.
func conditionVariables(of operation: OperationDefinition, fragments: [String: FragmentDefinition]) -> [String] {
    var variables: [String] = []
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
            for case let variable? in directives.map(\.conditionVariable) where !variables.contains(variable) {
                variables.append(variable)
            }
        }
    }
    return variables
}
