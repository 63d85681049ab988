import GraphQL

/// A list that a query marks with `@live(changes:)`, and the subscription that keeps it up to date.
struct LiveList {
    let query: OperationDefinition
    let subscription: OperationDefinition
    /// The response names from the root to the connection.
    let connection: [String]
    /// The fragment that the list's node selects, and the change's node too. Neither selects anything else.
    let row: String
    /// The variable that asks for a later page.
    let pageVariable: String
    /// The response name of the subscription's field.
    let changeField: String
    /// The variable that asks for the changes after a cursor.
    let changeVariable: String

    static let directive = Source(
        """
        "A list that the changes of a subscription keep up to date. Read by the generator alone, and not sent."
        directive @live(
          "The name of the subscription."
          changes: String!
        ) on FIELD
        """, name: "the directives of the client")

    /// The lists of all queries.
    /// - Throws: a problem for each `@live` that stands elsewhere than in a query, for each list whose rows a change
    ///   could not fill, and for each that lacks what its next page or its changes need.
    static func all(in documents: DocumentSet, _ mapping: TypeMapping) throws(GenerationFailure) -> [LiveList] {
        var lists: [LiveList] = []
        var problems: [GenerationProblem] = []
        for name in documents.fragmentNames {
            guard let fragment = documents.fragments[name] else { continue }
            for marked in MarkedField.all(in: fragment.selectionSet, path: []) {
                problems.append(
                    documents.problem(
                        "@live stands in a query itself, not in a fragment.", at: marked.directive.location))
            }
        }
        for operation in documents.operations {
            for marked in MarkedField.all(in: operation.selectionSet, path: []) {
                do { lists.append(try LiveList(marked, of: operation, documents, mapping)) } catch {
                    problems += error.problems
                }
            }
        }
        guard problems.isEmpty else { throw GenerationFailure(problems) }
        return lists
    }

    private init(
        _ marked: MarkedField, of query: OperationDefinition, _ documents: DocumentSet, _ mapping: TypeMapping
    ) throws(GenerationFailure) {
        let place = marked.directive.location
        func refuse(_ message: String, at location: Location) -> GenerationFailure {
            GenerationFailure([documents.problem(message, at: location)])
        }
        guard query.operation == .query else { throw refuse("@live stands in queries only.", at: place) }
        guard query.selectionSet.field("changeCursor") != nil else {
            throw refuse("A query with @live selects changeCursor, from which its changes follow.", at: place)
        }
        guard case .string(let name) = marked.directive.arguments.first?.value.kind,
            let subscription = documents.operations.first(where: {
                $0.operation == .subscription && $0.name?.value == name.value
            })
        else { throw refuse("No subscription has the name that @live gives.", at: place) }
        guard let change = subscription.selectionSet.onlyField, let changes = change.selectionSet else {
            throw refuse("The changes of a list are one field.", at: subscription.location)
        }
        for needed in ["kind", "nodeId", "cursor", "node"] where changes.field(needed) == nil {
            throw refuse("The changes of a list select \(needed).", at: change.location)
        }
        guard let connection = marked.field.selectionSet, let edges = connection.field("edges")?.selectionSet,
            edges.field("cursor") != nil, let node = edges.field("node")?.selectionSet,
            let page = connection.field("pageInfo")?.selectionSet, page.field("hasNextPage") != nil,
            page.field("endCursor") != nil
        else {
            throw refuse(
                "A list with @live selects edges { cursor node } and pageInfo { hasNextPage endCursor }.", at: place)
        }
        guard let row = node.onlyFragment else {
            throw refuse("The node of a list with @live selects one fragment and nothing else.", at: node.location)
        }
        guard changes.field("node")?.selectionSet?.onlyFragment == row else {
            throw refuse(
                "The node of a change selects ...\(row) and nothing else, as its list does: it could not fill a row.",
                at: changes.field("node")?.location ?? change.location)
        }
        guard (edges.field("position") == nil) == (changes.field("position") == nil) else {
            throw refuse("A list and its changes both select position, or neither does.", at: place)
        }
        guard let pageVariable = marked.field.variable(of: "after") else {
            throw refuse("A list with @live takes its argument after from a variable.", at: marked.field.location)
        }
        guard let changeVariable = change.variable(of: "after") else {
            throw refuse("The changes of a list take their argument after from a variable.", at: change.location)
        }
        for (name, operation) in [(pageVariable, query), (changeVariable, subscription)] {
            guard let variable = operation.variable(name), let type = mapping.schema.reference(variable.type) else {
                continue
            }
            guard mapping.type(.nonNull(type.nullable), named: mapping.leaf(type.namedType)) == "String" else {
                throw refuse(
                    "A cursor is a string: $\(name) needs a type that is String in Swift.", at: variable.location)
            }
        }
        self.query = query
        self.subscription = subscription
        self.connection = marked.path
        self.row = row
        self.pageVariable = pageVariable
        self.changeField = change.responseName
        self.changeVariable = changeVariable
    }
}

/// A field with `@live`.
private struct MarkedField {
    let field: Field
    let directive: Directive
    let path: [String]

    static func all(in set: SelectionSet, path: [String]) -> [MarkedField] {
        set.selections.flatMap { selection -> [MarkedField] in
            switch selection {
            case .fragmentSpread: return []
            case .inlineFragment(let fragment): return all(in: fragment.selectionSet, path: path)
            case .field(let field):
                let path = path + [field.responseName]
                let below = field.selectionSet.map { all(in: $0, path: path) } ?? []
                guard let directive = field.liveDirective else { return below }
                return [MarkedField(field: field, directive: directive, path: path)] + below
            }
        }
    }
}

extension Field {
    fileprivate var liveDirective: Directive? { directives.first { $0.name.value == "live" } }

    /// The variable that is the argument's value; nil without the argument, or where it has another value.
    fileprivate func variable(of argument: String) -> String? {
        guard let value = arguments.first(where: { $0.name.value == argument })?.value.kind,
            case .variable(let name) = value
        else { return nil }
        return name
    }

    /// The field without directives that servers do not know.
    var withoutClientDirectives: Field {
        var field = self
        field.directives.removeAll { $0.name.value == "live" }
        return field
    }
}

extension SelectionSet {
    /// The field that is selected under its own name.
    fileprivate func field(_ name: String) -> Field? {
        for case .field(let field) in selections where field.name.value == name && field.responseName == name {
            return field
        }
        return nil
    }

    fileprivate var onlyField: Field? {
        guard selections.count == 1, case .field(let field) = selections[0] else { return nil }
        return field
    }

    /// The name of the fragment whose spread, without directives, is the set's only selection; otherwise nil.
    fileprivate var onlyFragment: String? {
        guard selections.count == 1, case .fragmentSpread(let spread) = selections[0], spread.directives.isEmpty else {
            return nil
        }
        return spread.name.value
    }
}
