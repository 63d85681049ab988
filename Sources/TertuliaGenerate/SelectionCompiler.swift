import GraphQL

/// Turns selection sets into the structs to be written: merges fields of one response name, pushes `@skip` and
/// `@include` down to fields and fragments, and tells which fragments always apply.
/// Spec: 6.3.2 Field Collection
struct SelectionCompiler {
    let schema: Schema
    let documents: DocumentSet
    let mapping: TypeMapping
    /// Names that a nested struct must not hide: those of enums, inputs, mapped scalars, fragments and operations.
    let takenNames: Set<String>

    private typealias Part = (set: SelectionSet, conditions: [ObjectModel.Condition])

    func compile(_ set: SelectionSet, on type: TypeIndex, named name: String) throws(GenerationFailure) -> ObjectModel {
        try compile([(set, [])], on: type, named: name)
    }

    private func compile(
        _ parts: [Part], on type: TypeIndex, named name: String
    ) throws(GenerationFailure) -> ObjectModel {
        var entries: [Entry] = []
        for part in parts { try collect(part.set, part.conditions, on: type, into: &entries) }
        var model = ObjectModel(name: name)
        for entry in entries { model.members.append(try member(entry, on: type)) }
        try refuseEqualNames(model, at: parts.first?.set.location ?? .none)
        return model
    }

    /// All selections of one response name, fragment, narrower type or `@defer` label.
    private struct Entry {
        enum Key: Equatable {
            case field(String), fragment(String), narrowed(String), deferred(String)
        }

        var key: Key
        /// - Parameter on: the type on which the selection stands.
        var occurrences: [(selection: Selection, conditions: [ObjectModel.Condition], on: TypeIndex)]
        var isDeferred = false

        /// The different conditions of the occurrences; empty where one occurrence has none.
        var conditions: [[ObjectModel.Condition]] {
            let all = occurrences.map(\.conditions)
            if all.contains(where: \.isEmpty) { return [] }
            return all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
    }

    private func collect(
        _ set: SelectionSet, _ conditions: [ObjectModel.Condition], on type: TypeIndex, into entries: inout [Entry]
    ) throws(GenerationFailure) {
        for selection in set.selections {
            let conditions = conditions + selection.conditions
            var isDeferred = false
            var key: Entry.Key
            switch selection {
            case .field(let field): key = .field(field.responseName)
            case .fragmentSpread(let spread):
                key = .fragment(spread.name.value)
                isDeferred = spread.directives.contains { $0.name.value == "defer" }
            case .inlineFragment(let fragment):
                let narrowed = fragment.typeCondition.flatMap { schema.typeIndex(named: $0.name.value) } ?? type
                if let deferred = fragment.directives.first(where: { $0.name.value == "defer" }) {
                    key = .deferred(try label(of: deferred))
                    isDeferred = true
                } else if schema.applies(narrowed, toAllOf: type) {
                    try collect(fragment.selectionSet, conditions, on: narrowed, into: &entries)
                    continue
                } else {
                    key = .narrowed(schema[narrowed].name)
                }
            }
            if let index = entries.firstIndex(where: { $0.key == key }) {
                entries[index].occurrences.append((selection, conditions, type))
                entries[index].isDeferred = entries[index].isDeferred && isDeferred
            } else {
                entries.append(Entry(key: key, occurrences: [(selection, conditions, type)], isDeferred: isDeferred))
            }
        }
    }

    private func label(of directive: Directive) throws(GenerationFailure) -> String {
        if let argument = directive.arguments.first(where: { $0.name.value == "label" }),
            case .string(let text) = argument.value.kind
        {
            return text.value
        }
        throw GenerationFailure([
            documents.problem(
                "@defer on an inline fragment needs a label: a property is called after it.", at: directive.location)
        ])
    }

    private func member(_ entry: Entry, on type: TypeIndex) throws(GenerationFailure) -> ObjectModel.Member {
        switch entry.key {
        case .field(let name): try field(entry, name, on: type)
        case .fragment(let name): fragment(entry, name, on: type)
        case .narrowed(let name), .deferred(let name): try inline(entry, name, on: type)
        }
    }

    private func field(
        _ entry: Entry, _ responseName: String, on type: TypeIndex
    ) throws(GenerationFailure) -> ObjectModel.Member {
        let fields = entry.occurrences.compactMap { occurrence in
            if case .field(let field) = occurrence.selection { (field, occurrence.conditions) } else { nil }
        }
        let first = fields[0].0
        let isVisible = fields.contains { $0.0.location != .none }
        var member = ObjectModel.Member(
            kind: .field(first, object: nil), property: isVisible ? SwiftName.property(responseName) : nil,
            type: "String", conditions: entry.conditions)
        // A union has no fields. Its field was selected in a fragment on an interface that all members implement.
        let definition =
            schema.fieldType(first.name.value, of: type)
            ?? schema.fieldType(first.name.value, of: entry.occurrences[0].on)
        member.description = definition?.description
        member.isSignedAddress = schema.isSignedAddress(first.name.value, of: type)
        // No definition: __typename, which is a string.
        let reference = definition.map(mapping.semanticType)
        if let definition, let reference, schema[definition.namedType].isComposite {
            // Conditions that all occurrences share belong to the field. Others are pushed down to its selections.
            let pushes = entry.conditions.count != 1
            let parts = fields.compactMap { field, conditions -> Part? in
                field.selectionSet.map { ($0, pushes ? conditions : []) }
            }
            let name = SwiftName.type(responseName, besides: takenNames)
            let object = try compile(parts, on: definition.namedType, named: name)
            member.kind = .field(first, object: object)
            member.type = mapping.type(reference, named: name)
        } else if let definition, let reference {
            member.type = mapping.type(reference, named: mapping.leaf(definition.namedType))
        }
        if member.isOptional, !member.type.hasSuffix("?") { member.type += "?" }
        return member
    }

    private func fragment(_ entry: Entry, _ name: String, on type: TypeIndex) -> ObjectModel.Member {
        let condition =
            documents.fragments[name].flatMap { schema.typeIndex(named: $0.typeCondition.name.value) } ?? type
        let narrowing = narrowing(condition, from: type)
        let isOptional = narrowing != nil || !entry.conditions.isEmpty || entry.isDeferred
        return ObjectModel.Member(
            kind: .fragment(name: name, on: narrowing),
            property: SwiftName.property(SwiftName.lowered(name)), type: isOptional ? name + "?" : name,
            conditions: entry.conditions, isDeferred: entry.isDeferred)
    }

    private func inline(
        _ entry: Entry, _ name: String, on type: TypeIndex
    ) throws(GenerationFailure) -> ObjectModel.Member {
        let fragments = entry.occurrences.compactMap { occurrence in
            if case .inlineFragment(let fragment) = occurrence.selection {
                (fragment, occurrence.conditions)
            } else {
                nil
            }
        }
        let condition = fragments[0].0.typeCondition.flatMap { schema.typeIndex(named: $0.name.value) } ?? type
        let structName: String
        if case .narrowed = entry.key {
            structName = "As" + name
        } else {
            structName = SwiftName.type(name, besides: takenNames)
        }
        let parts: [Part] = fragments.map { ($0.0.selectionSet, $0.1) }
        let model = try compile(parts, on: condition, named: structName)
        return ObjectModel.Member(
            kind: .inline(model, on: narrowing(condition, from: type)),
            property: model.hasProperties ? SwiftName.property(SwiftName.lowered(structName)) : nil,
            type: structName + "?", isDeferred: entry.isDeferred)
    }

    private func narrowing(_ condition: TypeIndex, from type: TypeIndex) -> ObjectModel.Narrowing? {
        guard !schema.applies(condition, toAllOf: type) else { return nil }
        return ObjectModel.Narrowing(
            type: schema[condition].name,
            possibleTypes: schema.possibleTypes[condition.rawValue].map { schema[$0].name })
    }

    /// Two selections may become one Swift name, such as a field `feedRow` beside a fragment `FeedRow`.
    private func refuseEqualNames(_ model: ObjectModel, at location: Location) throws(GenerationFailure) {
        var seen: Set<String> = []
        for property in model.members.compactMap(\.property) where !seen.insert(property).inserted {
            throw GenerationFailure([
                documents.problem(
                    "Two selections become the property \"\(property)\": give one an alias.", at: location)
            ])
        }
    }
}

extension Schema {
    /// True where each object of `type` meets the type condition.
    func applies(_ condition: TypeIndex, toAllOf type: TypeIndex) -> Bool {
        condition == type || possibleTypes[type.rawValue].allSatisfy { isPossible($0, for: condition) }
    }
}

extension Selection {
    /// `@skip` and `@include`, in the order written.
    var conditions: [ObjectModel.Condition] {
        let directives =
            switch self {
            case .field(let field): field.directives
            case .fragmentSpread(let spread): spread.directives
            case .inlineFragment(let fragment): fragment.directives
            }
        return directives.compactMap { directive in
            guard ["skip", "include"].contains(directive.name.value), let argument = directive.arguments.first else {
                return nil
            }
            let isSkip = directive.name.value == "skip"
            switch argument.value.kind {
            case .variable(let name): return .init(isSkip: isSkip, value: name, isVariable: true)
            case .boolean(let value): return .init(isSkip: isSkip, value: "\(value)", isVariable: false)
            default: return nil
            }
        }
    }
}
