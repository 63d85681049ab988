import ClientDocuments
import GraphQL

/// Writes operations and fragments.
struct OperationWriter {
    let schema: Schema
    let documents: DocumentSet
    let names: TypeNames
    let compiler: SelectionCompiler
    let inputs: InputWriter
    let objects: ObjectWriter
    /// `public ` or nothing.
    let access: String

    func write(_ operation: OperationDefinition, to text: inout SwiftText) throws(GenerationFailure) {
        guard let root = schema.rootType(for: operation.operation) else { return }
        let data = try compiler.compile(operation.selectionSet, on: root, named: "Data")
        let document = documentText(operation)
        let variables = inputs.variables(of: operation)
        text.comment(operation.description?.value)
        text.block("\(access)struct \(names.operation(operation)): \(operation.operation.suffix)Operation") { text in
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
        var model = try compiler.compile(fragment.selectionSet, on: type, named: names.fragment(fragment.name.value))
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
        let scalars = document.unicodeScalars
        // Swift refuses control characters in a literal where they are not escaped.
        if scalars.contains(where: { $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t" }) {
            return text.line("\(access)static let document = \(SwiftText.literal(document))")
        }
        var fence = "#"
        // The compiler ends the literal at a fence even if a combining mark follows, which makes another `Character` of it.
        while scalars.contains("\"\(fence)".unicodeScalars) || scalars.contains("\\\(fence)".unicodeScalars) {
            fence += "#"
        }
        text.line("\(access)static let document = \(fence)\"\"\"")
        text.indented { text in
            for line in document.split(separator: "\n", omittingEmptySubsequences: false) { text.line(String(line)) }
            text.line("\"\"\"\(fence)")
        }
    }

    func write(_ list: LiveList, to text: inout SwiftText) throws(GenerationFailure) {
        let query = names.operation(list.query)
        let copy = try copy(of: list.query, with: list.pageVariable)
        text.block("extension \(query): LiveQuery") { text in
            text.line("\(access)typealias Row = \(names.fragment(list.row))")
            text.line("\(access)typealias Changes = \(names.operation(list.subscription))")
            let path = list.connection.map(SwiftText.literal).joined(separator: ", ")
            text.line("\(access)static let connection = [\(path)]")
            text.line()
            text.block("\(access)func page(after cursor: String) -> \(query)", copy)
        }
    }

    func writeChanges(_ list: LiveList, to text: inout SwiftText) throws(GenerationFailure) {
        let subscription = names.operation(list.subscription)
        let copy = try copy(of: list.subscription, with: list.changeVariable)
        text.block("extension \(subscription): ChangeSubscription") { text in
            text.line("\(access)typealias Row = \(names.fragment(list.row))")
            text.line("\(access)static let changeField = \(SwiftText.literal(list.changeField))")
            text.line()
            text.block("\(access)func resuming(after cursor: String) -> \(subscription)", copy)
        }
    }

    /// The body of a function that gives the operation with another `cursor`.
    /// - Throws: a variable whose type is not String.
    private func copy(
        of operation: OperationDefinition, with variable: String
    ) throws(GenerationFailure) -> (inout SwiftText) -> Void {
        let value = inputs.variables(of: operation).first { $0.name == variable }
        guard let value, ["String", "Given<String>"].contains(value.type) else {
            let definition = operation.variableDefinitions.first { $0.name.value == variable }
            throw GenerationFailure([
                documents.problem(
                    "The variable $\(variable) holds the cursor of a list with @live: its type is String.",
                    at: definition?.location ?? operation.location)
            ])
        }
        return { text in
            text.line("var copy = self")
            text.line("copy.\(value.property) = \(value.type == "String" ? "cursor" : ".value(cursor)")")
            text.line("return copy")
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
