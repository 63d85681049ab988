import GraphQL

/// The documents of an app: fragments of one file serve operations of another.
struct DocumentSet {
    private(set) var operations: [OperationDefinition] = []
    private(set) var fragments: [String: FragmentDefinition] = [:]
    /// The names of the fragments in the order of the files.
    private(set) var fragmentNames: [String] = []
    private let files: ParsedFiles

    /// - Throws: what does not parse or does not fit the schema.
    init(_ sources: [Source], schema: Schema) throws(GenerationFailure) {
        files = try ParsedFiles(sources)
        for definition in files.document.definitions {
            switch definition {
            case .operation(let operation): operations.append(operation)
            case .fragment(let fragment):
                fragmentNames.append(fragment.name.value)
                fragments[fragment.name.value] = fragment
            case .schema, .schemaExtension, .type, .typeExtension, .directive: break
            }
        }
        let errors = validate(
            files.document, against: schema, rules: Self.rules,
            options: ValidationOptions(maximumErrors: 100, maximumFieldComparisons: 1_000_000))
        var problems = errors.map(files.problem)
        for operation in operations where operation.name == nil {
            problems.append(
                problem("The operation needs a name: a Swift type is called after it.", at: operation.location))
        }
        guard problems.isEmpty else { throw GenerationFailure(problems) }
    }

    /// A fragment that no operation spreads still is a type of the app.
    private static let rules: [ValidationRuleName] = .specified.filter { $0.rawValue != "NoUnusedFragments" }

    func problem(_ message: String, at location: Location) -> GenerationProblem {
        files.problem(message, at: location)
    }

    /// The fragments that a selection spreads, through other fragments too, each once, in the order of their first
    /// spread.
    func fragments(in selectionSet: SelectionSet) -> [FragmentDefinition] {
        var names: [String] = []
        addSpreads(in: selectionSet, to: &names)
        return names.compactMap { fragments[$0] }
    }

    private func addSpreads(in selectionSet: SelectionSet, to names: inout [String]) {
        for selection in selectionSet.selections {
            switch selection {
            case .field(let field): if let selected = field.selectionSet { addSpreads(in: selected, to: &names) }
            case .inlineFragment(let fragment): addSpreads(in: fragment.selectionSet, to: &names)
            case .fragmentSpread(let spread):
                guard !names.contains(spread.name.value) else { continue }
                names.append(spread.name.value)
                if let fragment = fragments[spread.name.value] { addSpreads(in: fragment.selectionSet, to: &names) }
            }
        }
    }

    /// Replaces the selection set of each operation and fragment.
    ///
    /// - Parameter complete: takes a selection set and the index of its type.
    mutating func replaceSelections(
        schema: Schema, _ complete: (SelectionSet, TypeIndex) throws(GenerationFailure) -> SelectionSet
    ) throws(GenerationFailure) {
        for index in operations.indices {
            guard let type = schema.rootType(for: operations[index].operation) else { continue }
            operations[index].selectionSet = try complete(operations[index].selectionSet, type)
        }
        for name in fragmentNames {
            guard let fragment = fragments[name], let type = schema.typeIndex(named: fragment.typeCondition.name.value)
            else { continue }
            fragments[name]?.selectionSet = try complete(fragment.selectionSet, type)
        }
    }
}
