import GraphQL

/// The Swift names of the types that a file declares outside of all others.
struct TypeNames {
    private var schemaTypes: [String: String] = [:]
    private var fragments: [String: String] = [:]
    private var operations: [String: String] = [:]
    /// Names that no nested struct may have, because code in it names the type of the file or the caller's type of a scalar.
    let hidden: Set<String>
    /// The structs of fragments, which generated code names in expressions.
    let fragmentTypes: Set<String>

    /// - Parameter scalars: the Swift types of custom scalars by the scalars' names.
    /// - Throws: types of scalars that an operation would take for its own, and operations and fragments whose Swift name is
    ///   another's too.
    init(
        _ documents: DocumentSet, _ used: UsedTypes, scalars: [String: String]
    ) throws(GenerationFailure) {
        var problems: [GenerationProblem] = []
        var taken: Set<String> = []
        for (scalar, type) in scalars.sorted(by: { $0.key < $1.key }) {
            taken.formUnion(type.firstNames)
            for name in type.firstNames.intersection(SwiftName.typesOfOperations).sorted() {
                problems.append(
                    GenerationProblem(
                        "\(name), the type of the scalar \(scalar), is a type of every operation: name its module, too."
                    ))
            }
        }
        let kinds = used.enums.map { ($0.name, "Enum") } + used.inputs.map { ($0.name, "Input") }
        var scope = NameScope(reserved: SwiftName.reservedTypes, taken, Set(kinds.map(\.0)))
        for (name, kind) in kinds {
            let isFree = !SwiftName.reservedTypes.contains(name) && !taken.contains(name)
            schemaTypes[name] = isFree ? name : scope.claim(name + kind, suffix: kind)
        }
        taken.formUnion(schemaTypes.values)
        func declare(_ wanted: String, _ kind: String, at location: Location) -> String {
            let name = SwiftName.reservedTypes.contains(wanted) ? wanted + kind : wanted
            if !taken.insert(name).inserted {
                problems.append(documents.problem("Another Swift type is called \(name), too.", at: location))
            }
            return name
        }
        for name in documents.fragmentNames {
            guard let fragment = documents.fragments[name] else { continue }
            fragments[name] = declare(SwiftName.type(name), "Fragment", at: fragment.name.location)
        }
        for operation in documents.operations {
            let name = operation.name?.value ?? ""
            let kind = operation.operation.suffix
            let upper = name.prefix(1).uppercased() + name.dropFirst()
            operations[name] = declare(
                upper.hasSuffix(kind) ? upper : upper + kind, kind, at: operation.name?.location ?? operation.location)
        }
        hidden = taken
        fragmentTypes = Set(fragments.values)
        guard problems.isEmpty else { throw GenerationFailure(problems) }
    }

    /// The name of an enum or an input type.
    func schemaType(_ name: String) -> String { schemaTypes[name] ?? name }

    func fragment(_ name: String) -> String { fragments[name] ?? name }

    /// The name of an operation's struct: that of the operation with its kind, unless the name ends with that already.
    func operation(_ operation: OperationDefinition) -> String { operations[operation.name?.value ?? ""] ?? "" }
}

extension String {
    /// The first part of each name in a Swift type: `Foundation` and `Money` in `[Foundation.Date: Money]`.
    fileprivate var firstNames: Set<String> {
        Set(
            split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
                .compactMap { $0.split(separator: ".").first.map(String.init) })
    }
}

extension OperationType {
    /// The word that ends the names of the operation's struct and, with `Operation`, of its protocol.
    var suffix: String {
        switch self {
        case .query: "Query"
        case .mutation: "Mutation"
        case .subscription: "Subscription"
        }
    }
}
