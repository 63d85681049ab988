import GraphQL

/// Adds what the store needs to selections on objects: `__typename`, and `id` where the type has one.
///
/// An added field has no location, which tells it from the fields of the author.
struct SelectionCompletion {
    let schema: Schema
    let documents: DocumentSet

    /// - Parameter isRoot: whether `type` is a root type. The set then needs no additions: the root has no id, and its
    ///   type is known.
    func complete(_ set: SelectionSet, on type: TypeIndex, isRoot: Bool) throws(GenerationFailure) -> SelectionSet {
        var completed = try withoutAdditions(set, on: type)
        guard !isRoot else { return completed }
        var added: [Selection] = []
        if !set.selects("__typename") { added.append(.field(Field(name: Name("__typename")))) }
        if schema.hasID(type) {
            if !set.selects("id") { added.append(.field(Field(name: Name("id")))) }
        } else if schema[type].isAbstract {
            added += schema.possibleTypes[type.rawValue].filter(schema.hasID).map { object in
                .inlineFragment(
                    InlineFragment(
                        typeCondition: NamedTypeNode(Name(schema[object].name)),
                        selectionSet: SelectionSet(selections: [.field(Field(name: Name("id")))])))
            }
        }
        completed.selections = added + completed.selections
        return completed
    }

    /// The set with nothing added to it. The selection sets of its fields are completed.
    private func withoutAdditions(_ set: SelectionSet, on type: TypeIndex) throws(GenerationFailure) -> SelectionSet {
        var completed = set
        completed.selections = []
        for selection in set.selections {
            switch selection {
            case .field(let selected):
                var field = selected.withoutClientDirectives
                try refuseReservedName(field)
                if let below = field.selectionSet, let definition = schema.fieldType(field.name.value, of: type) {
                    field.selectionSet = try complete(below, on: definition.namedType, isRoot: false)
                }
                completed.selections.append(.field(field))
            case .inlineFragment(var fragment):
                let narrowed = fragment.typeCondition.flatMap { schema.typeIndex(named: $0.name.value) } ?? type
                fragment.selectionSet = try withoutAdditions(fragment.selectionSet, on: narrowed)
                completed.selections.append(.inlineFragment(fragment))
            case .fragmentSpread:
                completed.selections.append(selection)
            }
        }
        return completed
    }

    private func refuseReservedName(_ field: Field) throws(GenerationFailure) {
        for reserved in ["id", "__typename"] where field.responseName == reserved && field.name.value != reserved {
            throw GenerationFailure([
                documents.problem(
                    "\"\(reserved)\" is the store's name for the field \(reserved): use another alias.",
                    at: field.location)
            ])
        }
    }
}

extension Schema {
    /// True where the type has a field `id: ID!` without arguments.
    /// Source: Relay's Global Object Identification
    func hasID(_ type: TypeIndex) -> Bool {
        guard let field = self[type].field(named: "id"), field.arguments.isEmpty,
            case .nonNull(.named(let index)) = field.type
        else { return false }
        return self[index].name == "ID"
    }

    /// The field of a type; nil for `__typename`, and where the type has no such field.
    func fieldType(_ name: String, of type: TypeIndex) -> FieldType? { self[type].field(named: name) }
}

extension SelectionSet {
    /// True where the set itself selects the field, without an alias or a directive.
    fileprivate func selects(_ name: String) -> Bool {
        selections.contains { selection in
            guard case .field(let field) = selection else { return false }
            return field.name.value == name && field.responseName == name && field.directives.isEmpty
        }
    }
}
