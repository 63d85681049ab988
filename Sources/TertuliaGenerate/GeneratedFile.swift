import ClientDocuments
import GraphQL

/// The one file that a run writes.
struct GeneratedFile {
    let schema: Schema
    let documents: DocumentSet
    let lists: [LiveList]
    let options: GenerationOptions

    func write() throws(GenerationFailure) -> GeneratedSwift {
        let access = options.isPublic ? "public " : ""
        let used = UsedTypes(documents, schema: schema)
        let names = try TypeNames(documents, used, scalars: options.scalars)
        let mapping = TypeMapping(schema: schema, scalars: options.scalars, names: names)
        let compiler = SelectionCompiler(schema: schema, documents: documents, mapping: mapping, names: names)
        let inputs = InputWriter(schema: schema, mapping: mapping, access: access)
        let writer = OperationWriter(
            schema: schema, documents: documents, names: names, compiler: compiler, inputs: inputs,
            objects: ObjectWriter(access: access), access: access)

        var text = SwiftText()
        text.line("// Written by tertulia-generate. Changes are lost: change the documents.")
        text.line("// swift-format-ignore-file")
        text.line()
        text.line("import Foundation")
        text.line("import TertuliaClient")
        for operation in documents.operations {
            text.line()
            try writer.write(operation, to: &text)
        }
        for name in documents.fragmentNames {
            guard let fragment = documents.fragments[name] else { continue }
            text.line()
            try writer.write(fragment, to: &text)
        }
        var subscriptions: Set<String> = []
        for list in lists {
            text.line()
            try writer.write(list, to: &text)
            guard subscriptions.insert(names.operation(list.subscription)).inserted else { continue }
            text.line()
            try writer.writeChanges(list, to: &text)
        }
        for type in used.enums {
            text.line()
            inputs.write(type, to: &text)
        }
        for input in used.inputs {
            text.line()
            inputs.write(input, to: &text)
        }
        text.line()
        writeDescription(access, to: &text)
        return GeneratedSwift(source: text.text, documents: manifest(documents.operations.map(writer.documentText)))
    }

    /// The documents of the app by their IDs, and then those that the client sends for the session. A schema that has not
    /// their mutations, or others under their names, is that of a server without these sessions.
    private func manifest(_ texts: [String]) -> [(id: String, text: String)] {
        let ofSession = SessionDocuments.all.map(\.document.text).filter { text in
            guard !texts.contains(text), let document = try? parse(Source(text)) else { return false }
            return validate(document, against: schema).isEmpty
        }
        return (texts + ofSession).map { (SHA256.hexadecimal($0), $0) }
    }

    /// What the store has to know of the schema.
    private func writeDescription(_ access: String, to text: inout SwiftText) {
        text.block("extension SchemaDescription") { text in
            text.line("/// The schema that the operations were generated for.")
            let version = SHA256.hexadecimal(outputFields)
            let isGlobal = schema.hasGlobalIDs
            text.line("\(access)static let generated = SchemaDescription(")
            text.indented { text in
                text.line("version: \(SwiftText.literal(version)),")
                text.line("identity: \(isGlobal ? ".global" : ".perType"))")
            }
        }
    }

    /// Every field that a response can have, with its type. A store is emptied where they are others, and kept where
    /// descriptions or inputs alone changed.
    private var outputFields: String {
        var lines: [String] = []
        for type in schema.types {
            for field in type.fields { lines.append("\(type.name).\(field.name): \(schema.notation(of: field.type))") }
        }
        return lines.sorted().joined(separator: "\n")
    }
}

extension Schema {
    /// Whether an id belongs to one object of all types.
    /// Source: Relay's Global Object Identification
    var hasGlobalIDs: Bool {
        guard case .interface = type(named: "Node"), let field = self[queryType].field(named: "node") else {
            return false
        }
        return field.type.namedType == typeIndex(named: "Node")
    }
}
