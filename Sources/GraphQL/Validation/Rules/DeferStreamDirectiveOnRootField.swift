/// Spec: incremental delivery, 5.7.4 Defer And Stream Directives Are Used On Valid Root Field
///
/// A root type may implement an interface or belong to a union, so a fragment on an interface or union may select root
/// fields, too. A directive within such a fragment is an error only if a mutation or subscription spreads the fragment
/// at its root. Such an error is known, and reported, once the document has been read.
struct DeferStreamDirectiveOnRootField: ValidationRule {
    /// The directives within selections of an abstract type, by location. The value is the place reserved for the
    /// directive's error in the order of errors.
    private var withinAbstractTypes: [Location: Int32] = [:]

    mutating func enter(_ directive: Directive, at location: DirectiveLocation, _ context: inout ValidationContext) {
        guard directive.isDeferOrStream, let parentType = context.parentType else { return }
        for root in context.schema.rootsWithoutDeferral where root.type == parentType {
            context.report(message(directive, root, context.schema), at: directive.location)
        }
        if context.schema[parentType].isAbstract {
            withinAbstractTypes[directive.location] = context.reserveOrdinal()
        }
    }

    mutating func leave(_ document: Document, _ context: inout ValidationContext) {
        if withinAbstractTypes.isEmpty { return }
        for root in context.schema.rootsWithoutDeferral {
            for directive in directives(atRoot: root, context) {
                // A directive is reported once, however many operations reach it.
                guard let ordinal = withinAbstractTypes.removeValue(forKey: directive.location) else { continue }
                context.report(message(directive, root, context.schema), at: [directive.location], ordinal: ordinal)
            }
        }
    }

    /// The directives of all root selections of the operations of one type, mutations or subscriptions.
    private func directives(atRoot root: Schema.Root, _ context: ValidationContext) -> [Directive] {
        var found: [Directive] = []
        var visitedFragments: Set<String> = []
        var pending = context.index.operations.filter { $0.definition.operation == root.operation }
            .map(\.definition.selectionSet)
        while let selectionSet = pending.popLast() {
            for selection in selectionSet.selections {
                switch selection {
                case .field(let field): found += field.directives
                case .inlineFragment(let fragment):
                    found += fragment.directives
                    pending.append(fragment.selectionSet)
                case .fragmentSpread(let spread):
                    found += spread.directives
                    guard visitedFragments.insert(spread.name.value).inserted,
                        let fragment = context.fragment(named: spread.name.value)
                    else { continue }
                    pending.append(fragment.selectionSet)
                }
            }
        }
        return found
    }

    private func message(_ directive: Directive, _ root: Schema.Root, _ schema: Schema) -> String {
        "\(directive.capitalizedName) directive cannot be used on root \(root.operation.rawValue) type "
            + "\"\(schema[root.type].name)\"."
    }
}

extension Schema {
    fileprivate struct Root {
        let type: TypeIndex
        let operation: OperationType
    }

    /// The mutation root type, whose fields are executed serially, and the subscription root type, whose field is the
    /// source of events.
    fileprivate var rootsWithoutDeferral: [Root] {
        [OperationType.mutation, .subscription].compactMap { operation in
            rootType(for: operation).map { Root(type: $0, operation: operation) }
        }
    }
}

extension Directive {
    var isDeferOrStream: Bool { name.value == "defer" || name.value == "stream" }

    /// The name of @defer or @stream in messages.
    var capitalizedName: String { name.value == "defer" ? "Defer" : "Stream" }
}
