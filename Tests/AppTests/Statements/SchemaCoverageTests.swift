import GraphQL
import Testing

@testable import App

/// The documents of the folders `Operations/` ask for every field and give every argument and input field of the served
/// schema.
@Suite struct SchemaCoverageTests {
    @Test func documentsUseTheWholeSchema() throws {
        let schema = try OperationRunner.schema.get().schema
        var used = UsedCoordinates(schema: schema)
        for path in OperationTests.documents {
            for step in try OperationDocument(OperationTests.folder.appendingPathComponent(path)).steps {
                let document = try parse(Source(step.text))
                if validate(document, against: schema).isEmpty { used.visit(document) }
            }
        }
        let changes = ChangeDocuments.subscriptions(after: "").map { "subscription { \($0.selection) }" }
        for text in changes + [ChangeDocuments.query, ChangeDocuments.messages] {
            let document = try parse(Source(text))
            if validate(document, against: schema).isEmpty { used.visit(document) }
        }
        #expect(Self.coordinates(of: schema).filter { !used.coordinates.contains($0) } == [])
    }

    /// Spec: Schema Coordinates
    private static func coordinates(of schema: Schema) -> [String] {
        schema.types.filter { !$0.name.hasPrefix("__") }.flatMap { type -> [String] in
            switch type {
            case .object, .interface:
                type.fields.flatMap { field in
                    ["\(type.name).\(field.name)"] + field.arguments.map { "\(type.name).\(field.name)(\($0.name):)" }
                }
            case .inputObject(let type): type.fields.map { "\(type.name).\($0.name)" }
            default: []
            }
        }
    }
}

private struct UsedCoordinates {
    let schema: Schema
    private(set) var coordinates: Set<String> = []
    private var fragments: [String: FragmentDefinition] = [:]

    init(schema: Schema) { self.schema = schema }

    mutating func visit(_ document: Document) {
        for case .fragment(let fragment) in document.definitions { fragments[fragment.name.value] = fragment }
        for case .operation(let operation) in document.definitions {
            guard let root = schema.rootType(for: operation.operation) else { continue }
            visit(operation.selectionSet, of: root)
        }
    }

    private mutating func visit(_ selectionSet: SelectionSet, of parent: TypeIndex) {
        for selection in selectionSet.selections {
            switch selection {
            case .field(let field): visit(field, of: parent)
            case .inlineFragment(let fragment):
                let type = fragment.typeCondition.flatMap { schema.typeIndex(named: $0.name.value) }
                visit(fragment.selectionSet, of: type ?? parent)
            case .fragmentSpread(let spread):
                guard let fragment = fragments[spread.name.value],
                    let type = schema.typeIndex(named: fragment.typeCondition.name.value)
                else { continue }
                visit(fragment.selectionSet, of: type)
            }
        }
    }

    private mutating func visit(_ field: Field, of parent: TypeIndex) {
        guard let type = schema[parent].field(named: field.name.value) else { return }
        for owner in implementors(of: parent) {
            let coordinate = "\(schema[owner].name).\(type.name)"
            coordinates.insert(coordinate)
            for argument in field.arguments { coordinates.insert("\(coordinate)(\(argument.name.value):)") }
        }
        for argument in field.arguments {
            if let input = type.argument(named: argument.name.value) { visit(argument.value, of: input.type) }
        }
        if let selectionSet = field.selectionSet { visit(selectionSet, of: type.namedType) }
    }

    /// A field of an interface is one of each type that implements it.
    private func implementors(of type: TypeIndex) -> [TypeIndex] {
        guard schema[type].isAbstract else { return [type] }
        return [type] + schema.possibleTypes[type.rawValue]
    }

    private mutating func visit(_ value: Value, of type: TypeReference) {
        switch value.kind {
        case .list(let items): for item in items { visit(item, of: type) }
        case .object(let fields):
            guard case .inputObject(let input) = schema[type.namedType] else { return }
            for field in fields {
                coordinates.insert("\(input.name).\(field.name.value)")
                if let type = input.field(named: field.name.value)?.type { visit(field.value, of: type) }
            }
        default: break
        }
    }
}
