import GraphQL

/// Turns selection sets into the structs to be written: merges fields of one response name, pushes `@skip` and
/// `@include` down to fields and fragments, and tells which fragments always apply.
/// Spec: 6.3.2 Field Collection
struct SelectionCompiler {
    let schema: Schema
    let documents: DocumentSet
    let mapping: TypeMapping
    let names: TypeNames

    private typealias Part = (set: SelectionSet, conditions: [ObjectModel.Condition])

    func compile(_ set: SelectionSet, on type: TypeIndex, named name: String) throws(GenerationFailure) -> ObjectModel {
        try compile([(set, [])], on: type, named: name)
    }

    private func compile(
        _ parts: [Part], on type: TypeIndex, named name: String
    ) throws(GenerationFailure) -> ObjectModel {
        var entries: [Entry] = []
        for part in parts { try collect(part.set, part.conditions, on: type, into: &entries) }
        try giveNames(to: &entries)
        var model = ObjectModel(name: name)
        for entry in entries { model.members.append(try member(entry, on: type)) }
        return model
    }

    /// Gives the entries of one selection set their names in Swift.
    ///
    /// - Throws: two entries of one name, such as a field `feedRow` beside a fragment `FeedRow`.
    private func giveNames(to entries: inout [Entry]) throws(GenerationFailure) {
        var wantedProperties: [String?] = []
        var wantedTypes: [String?] = []
        for entry in entries {
            let isVisible = entry.occurrences.contains { $0.selection.isTheAuthors }
            let (property, structName): (String, String?) =
                switch entry.key {
                case .field(let name): (SwiftName.member(name), entry.isComposite ? SwiftName.type(name) : nil)
                case .fragment(let name): (SwiftName.lowered(name), nil)
                case .narrowed(let name): ("as" + name, "As" + name)
                case .deferred(let label): (SwiftName.lowered(label), SwiftName.type(label))
                }
            if isVisible, wantedProperties.contains(property) {
                throw GenerationFailure([
                    documents.problem(
                        "Two selections become the property \"\(property)\": give one another name.", at: entry.location
                    )
                ])
            }
            wantedProperties.append(isVisible ? property : nil)
            wantedTypes.append(isVisible ? structName : nil)
        }
        var propertyScope = NameScope(reserved: SwiftName.reservedInObjects, names.fragmentTypes)
        let properties = propertyScope.claim(wantedProperties, suffix: "_")
        var typeScope = NameScope(
            reserved: SwiftName.reservedNestedTypes, names.hidden, Set(properties.compactMap(\.self)))
        let types = typeScope.claim(wantedTypes, suffix: "Object")
        for index in entries.indices {
            entries[index].property = properties[index].map(SwiftName.written)
            entries[index].structName = types[index]
        }
    }

    /// What one response name, fragment or narrower type has in a selection.
    private struct Entry {
        enum Key: Equatable {
            case field(String), fragment(String), narrowed(String), deferred(String)
        }

        var key: Key
        var occurrences: [(selection: Selection, conditions: [ObjectModel.Condition])]
        var isDeferred = false
        /// nil for what the generator added: the store alone reads it.
        var property: String?
        /// nil for a leaf and a fragment, which has a struct of its own.
        var structName: String?

        /// The place of the author's first occurrence.
        var location: Location {
            occurrences.first { $0.selection.isTheAuthors }?.selection.location ?? .none
        }

        var isComposite: Bool {
            occurrences.contains {
                if case .field(let field) = $0.selection { field.selectionSet != nil } else { false }
            }
        }

        /// Empty where one occurrence has no condition.
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
                entries[index].occurrences.append((selection, conditions))
                entries[index].isDeferred = entries[index].isDeferred && isDeferred
            } else {
                entries.append(Entry(key: key, occurrences: [(selection, conditions)], isDeferred: isDeferred))
            }
        }
    }

    private func label(of directive: Directive) throws(GenerationFailure) -> String {
        if let argument = directive.arguments.first(where: { $0.name.value == "label" }),
            case .string(let text) = argument.value.kind
        {
            guard text.value.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil else {
                throw GenerationFailure([
                    documents.problem(
                        "The label of @defer has to be a name: a property is called after it.",
                        at: argument.value.location)
                ])
            }
            return text.value
        }
        throw GenerationFailure([
            documents.problem(
                "@defer on an inline fragment needs a label: a property is called after it.", at: directive.location)
        ])
    }

    private func member(_ entry: Entry, on type: TypeIndex) throws(GenerationFailure) -> ObjectModel.Member {
        switch entry.key {
        case .field: try field(entry, on: type)
        case .fragment(let name): fragment(entry, name, on: type)
        case .narrowed, .deferred: try inline(entry, on: type)
        }
    }

    private func field(_ entry: Entry, on type: TypeIndex) throws(GenerationFailure) -> ObjectModel.Member {
        let fields = entry.occurrences.compactMap { occurrence in
            if case .field(let field) = occurrence.selection { (field, occurrence.conditions) } else { nil }
        }
        let first = fields[0].0
        var member = ObjectModel.Member(
            kind: .field(first, object: nil), property: entry.property, type: "String", conditions: entry.conditions)
        guard let definition = schema.fieldType(first.name.value, of: type) else { return member }
        let reference = mapping.semanticType(of: definition)
        member.description = definition.description
        if let name = entry.structName {
            // With one condition for all, the whole field has it; otherwise each selection below has its own.
            let pushes = entry.conditions.count != 1
            let parts = fields.compactMap { field, conditions -> Part? in
                field.selectionSet.map { ($0, pushes ? conditions : []) }
            }
            let object = try compile(parts, on: definition.namedType, named: name)
            member.kind = .field(first, object: object)
            member.type = mapping.type(reference, named: name)
        } else {
            member.type = mapping.type(reference, named: mapping.leaf(definition.namedType))
        }
        if member.isOptional, !member.type.hasSuffix("?") { member.type += "?" }
        return member
    }

    private func fragment(_ entry: Entry, _ name: String, on type: TypeIndex) -> ObjectModel.Member {
        let fragment = documents.fragments[name]
        let condition = fragment.flatMap { schema.typeIndex(named: $0.typeCondition.name.value) } ?? type
        let narrowing = narrowing(condition, from: type)
        let isOptional = narrowing != nil || !entry.conditions.isEmpty || entry.isDeferred
        let structName = names.fragment(name)
        return ObjectModel.Member(
            kind: .fragment(name: structName, responseNames: fragment.map(plainNames) ?? [], on: narrowing),
            property: entry.property, type: isOptional ? structName + "?" : structName,
            conditions: entry.conditions, isDeferred: entry.isDeferred)
    }

    /// The response names that the fragment selects without a condition.
    private func plainNames(_ fragment: FragmentDefinition) -> [String] {
        fragment.selectionSet.selections.compactMap { selection in
            guard case .field(let field) = selection, selection.conditions.isEmpty, field.location != .none else {
                return nil
            }
            return field.responseName
        }
    }

    private func inline(_ entry: Entry, on type: TypeIndex) throws(GenerationFailure) -> ObjectModel.Member {
        let fragments = entry.occurrences.compactMap { occurrence in
            if case .inlineFragment(let fragment) = occurrence.selection {
                (fragment, occurrence.conditions)
            } else {
                nil
            }
        }
        let condition = fragments[0].0.typeCondition.flatMap { schema.typeIndex(named: $0.name.value) } ?? type
        let structName = entry.structName ?? ""
        let parts: [Part] = fragments.map { ($0.0.selectionSet, $0.1) }
        let model = try compile(parts, on: condition, named: structName)
        return ObjectModel.Member(
            kind: .inline(model, on: narrowing(condition, from: type)), property: entry.property,
            type: structName + "?", isDeferred: entry.isDeferred)
    }

    private func narrowing(_ condition: TypeIndex, from type: TypeIndex) -> ObjectModel.Narrowing? {
        guard !schema.applies(condition, toAllOf: type) else { return nil }
        return ObjectModel.Narrowing(
            type: schema[condition].name,
            possibleTypes: schema.possibleTypes[condition.rawValue].map { schema[$0].name })
    }
}

extension Schema {
    /// Whether each object of `type` meets the type condition.
    func applies(_ condition: TypeIndex, toAllOf type: TypeIndex) -> Bool {
        condition == type || possibleTypes[type.rawValue].allSatisfy { isPossible($0, for: condition) }
    }
}

extension Selection {
    /// True if the author selects something here. What the generator adds has no place in a source.
    var isTheAuthors: Bool {
        switch self {
        case .field(let field): field.location != .none
        case .fragmentSpread: true
        case .inlineFragment(let fragment): fragment.selectionSet.selections.contains(where: \.isTheAuthors)
        }
    }

    var location: Location {
        switch self {
        case .field(let field): field.location
        case .fragmentSpread(let spread): spread.location
        case .inlineFragment(let fragment): fragment.location
        }
    }

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
