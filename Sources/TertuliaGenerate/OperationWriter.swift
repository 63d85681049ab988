import ClientDocuments
import GraphQL

/// Writes operations and fragments.
struct OperationWriter {
    let schema: Schema
    let documents: DocumentSet
    let compiler: SelectionCompiler
    let inputs: InputWriter
    let objects: ObjectWriter
    /// `public ` or nothing.
    let access: String

    /// The name of the struct: that of the operation with its kind, unless the name ends with that already.
    static func typeName(_ operation: OperationDefinition) -> String {
        let name = operation.name?.value ?? ""
        let upper = name.prefix(1).uppercased() + name.dropFirst()
        let kind = operation.operation.suffix
        return upper.hasSuffix(kind) ? upper : upper + kind
    }

    func write(_ operation: OperationDefinition, to text: inout SwiftText) throws(GenerationFailure) {
        guard let root = schema.rootType(for: operation.operation) else { return }
        let data = try compiler.compile(operation.selectionSet, on: root, named: "Data")
        let document = documentText(operation)
        let variables = operation.variableDefinitions.compactMap { variable in
            schema.reference(variable.type).map {
                inputs.value(
                    variable.name.value, $0, default: variable.defaultValue, description: variable.description?.value)
            }
        }
        text.comment(operation.description?.value)
        text.block("\(access)struct \(Self.typeName(operation)): \(operation.operation.suffix)Operation") { text in
            text.line("\(access)static let name = \(SwiftText.literal(operation.name?.value ?? ""))")
            text.line("\(access)static let documentID = \(SwiftText.literal(SHA256.hexadecimal(document)))")
            writeDocument(document, to: &text)
            text.line()
            inputs.writeProperties(variables, to: &text)
            if !variables.isEmpty { text.line() }
            inputs.writeInitializer(variables, to: &text)
            text.line()
            inputs.writeFields(variables, property: "variableFields", to: &text)
            text.line()
            objects.write(data, to: &text)
        }
    }

    func write(_ fragment: FragmentDefinition, to text: inout SwiftText) throws(GenerationFailure) {
        guard let type = schema.typeIndex(named: fragment.typeCondition.name.value) else { return }
        var model = try compiler.compile(fragment.selectionSet, on: type, named: fragment.name.value)
        model.description = fragment.description?.value
        objects.write(model, to: &text)
    }

    /// The operation and the fragments that it needs, in canonical form.
    func documentText(_ operation: OperationDefinition) -> String {
        let fragments = documents.fragments(in: operation.selectionSet)
        return Document(
            source: Source(""), definitions: [.operation(operation)] + fragments.map(Definition.fragment)
        ).printed
    }

    private func writeDocument(_ document: String, to text: inout SwiftText) {
        var fence = "#"
        while document.contains("\"\(fence)") || document.contains("\\\(fence)") { fence += "#" }
        text.line("\(access)static let document = \(fence)\"\"\"")
        text.indented { text in
            for line in document.split(separator: "\n", omittingEmptySubsequences: false) { text.line(String(line)) }
            text.line("\"\"\"\(fence)")
        }
    }

    func write(_ list: LiveList, to text: inout SwiftText) {
        let query = Self.typeName(list.query)
        text.block("extension \(query): LiveQuery") { text in
            text.line("\(access)typealias Row = \(list.row)")
            text.line("\(access)typealias Changes = \(Self.typeName(list.subscription))")
            let path = list.connection.map(SwiftText.literal).joined(separator: ", ")
            text.line("\(access)static let connection = [\(path)]")
            text.line()
            writeCopy("page(after cursor: String) -> \(query)", list.pageVariable, to: &text)
        }
    }

    func writeChanges(_ list: LiveList, to text: inout SwiftText) {
        let subscription = Self.typeName(list.subscription)
        text.block("extension \(subscription): ChangeSubscription") { text in
            text.line("\(access)typealias Row = \(list.row)")
            text.line("\(access)static let changeField = \(SwiftText.literal(list.changeField))")
            text.line()
            writeCopy("resuming(after cursor: String) -> \(subscription)", list.changeVariable, to: &text)
        }
    }

    private func writeCopy(_ signature: String, _ variable: String, to text: inout SwiftText) {
        text.block("\(access)func \(signature)") { text in
            text.line("var copy = self")
            text.line("copy.\(SwiftName.property(variable)) = .value(cursor)")
            text.line("return copy")
        }
    }
}

extension OperationType {
    fileprivate var suffix: String {
        switch self {
        case .query: "Query"
        case .mutation: "Mutation"
        case .subscription: "Subscription"
        }
    }
}

extension Schema {
    /// The type that a node names; nil where the schema lacks it.
    func reference(_ node: TypeNode) -> TypeReference? {
        switch node {
        case .named(let named): typeIndex(named: named.name.value).map { .named($0) }
        case .list(let item, _): reference(item).map { .list($0) }
        case .nonNull(let type, _): reference(type).map { .nonNull($0) }
        }
    }
}
