@testable import GraphQL

/// Section 6 of the specification word by word: depth first, one value at a time, conditions looked up as they come.
struct ReferenceExecutor {
    private struct Propagated: Error {}

    let schema: Schema
    let random: RandomSchema
    let document: Document
    let variables: [String: Bool]
    var errors: [GraphQLError] = []

    init(schema: Schema, random: RandomSchema, document: Document, variables: [String: Bool]) {
        self.schema = schema
        self.random = random
        self.document = document
        self.variables = variables
    }

    mutating func executeQuery() -> String {
        guard case .operation(let operation)? = document.definitions.first else { return "" }
        let data = try? executeSelectionSet([operation.selectionSet], schema.queryType, nil, [])
        return data ?? "null"
    }

    private mutating func executeSelectionSet(
        _ selectionSets: [SelectionSet], _ objectType: TypeIndex, _ object: RandomObject?, _ path: [PathElement]
    ) throws -> String {
        var groupedFields: [(name: String, fields: [Field])] = []
        var visitedFragments: Set<String> = []
        for selectionSet in selectionSets {
            collectFields(objectType, selectionSet, &visitedFragments, &groupedFields)
        }
        var members: [String] = []
        for group in groupedFields {
            let value = try executeField(group.fields, objectType, object, path + [.key(group.name)])
            members.append("\"\(group.name)\":\(value)")
        }
        return "{\(members.joined(separator: ","))}"
    }

    private func collectFields(
        _ objectType: TypeIndex, _ selectionSet: SelectionSet, _ visitedFragments: inout Set<String>,
        _ groupedFields: inout [(name: String, fields: [Field])]
    ) {
        for selection in selectionSet.selections {
            switch selection {
            case .field(let field):
                if isLeftOut(field.directives) { continue }
                if let index = groupedFields.firstIndex(where: { $0.name == field.responseName }) {
                    groupedFields[index].fields.append(field)
                } else {
                    groupedFields.append((field.responseName, [field]))
                }
            case .fragmentSpread(let spread):
                if isLeftOut(spread.directives) || !visitedFragments.insert(spread.name.value).inserted { continue }
                for case .fragment(let fragment) in document.definitions where fragment.name.value == spread.name.value
                {
                    guard applies(objectType, fragment.typeCondition) else { continue }
                    collectFields(objectType, fragment.selectionSet, &visitedFragments, &groupedFields)
                }
            case .inlineFragment(let fragment):
                if isLeftOut(fragment.directives) || !applies(objectType, fragment.typeCondition) { continue }
                collectFields(objectType, fragment.selectionSet, &visitedFragments, &groupedFields)
            }
        }
    }

    private func applies(_ objectType: TypeIndex, _ condition: NamedTypeNode?) -> Bool {
        guard let condition, let type = schema.typeIndex(named: condition.name.value) else { return condition == nil }
        return type == objectType || schema.isPossible(objectType, for: type)
    }

    private func isLeftOut(_ directives: [Directive]) -> Bool {
        directives.contains { directive in
            let isTrue =
                switch directive.arguments[0].value.kind {
                case .boolean(let value): value
                case .variable(let name): variables[name] ?? false
                default: false
                }
            return directive.name.value == "skip" ? isTrue : !isTrue
        }
    }

    private mutating func executeField(
        _ fields: [Field], _ objectType: TypeIndex, _ object: RandomObject?, _ path: [PathElement]
    ) throws -> String {
        let name = fields[0].name.value
        if name == "__typename" { return "\"\(schema[objectType].name)\"" }
        guard let type = schema[objectType].field(named: name)?.type else { throw Propagated() }
        return try completeValue(type, fields, resolve(name, of: object), path)
    }

    private func resolve(_ name: String, of object: RandomObject?) -> RandomValue {
        guard let object else { return name == "start" ? RandomValue.start : RandomValue.again }
        for field in random.fields[object.type] where field.name == name { return object.value(of: field) }
        return .failure
    }

    /// An error ends at the nearest nullable type.
    private mutating func completeValue(
        _ type: TypeReference, _ fields: [Field], _ value: RandomValue, _ path: [PathElement]
    ) throws -> String {
        if case .nonNull(let type) = type { return try completeNullable(type, fields, value, path) }
        return (try? completeNullable(type, fields, value, path)) ?? "null"
    }

    private mutating func completeNullable(
        _ type: TypeReference, _ fields: [Field], _ value: RandomValue, _ path: [PathElement]
    ) throws -> String {
        switch value {
        case .null: return "null"
        case .leaf(let leaf) where Int32(exactly: leaf) != nil: return "\(leaf)"
        case .leaf, .failure:
            errors.append(
                GraphQLError(
                    "Something went wrong.", locations: fields.map { document.source.location(of: $0.location) },
                    path: path, extensions: ExecutionError("", code: .internalServerError).extensions))
            throw Propagated()
        case .list(let items):
            guard case .list(let itemType) = type else { throw Propagated() }
            var texts: [String] = []
            for (index, item) in items.enumerated() {
                texts.append(try completeValue(itemType, fields, item, path + [.index(index)]))
            }
            return "[\(texts.joined(separator: ","))]"
        case .object(let object):
            guard let objectType = schema.typeIndex(named: "O\(object.type)") else { throw Propagated() }
            return try executeSelectionSet(fields.compactMap(\.selectionSet), objectType, object, path)
        }
    }
}
