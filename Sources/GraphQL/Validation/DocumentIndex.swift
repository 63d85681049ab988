/// What the traversal leaves behind: the document's selections in flat arrays with their types resolved, for the rules
/// and measures that look at several places at once. Made once a document.
struct DocumentIndex {
    var names = NameTable()
    var selectionSets: [SelectionSetRecord] = []
    var selections: [SelectionRecord] = []
    var fields: [FieldRecord] = []
    var spreads: [SpreadRecord] = []
    var variableUsages: [VariableUsage] = []
    var operations: [OperationRecord] = []
    /// In the order of definition; those that repeat a name included.
    var fragments: [FragmentRecord] = []
    /// By name id: the fragment that a spread of the name means (the last one of that name).
    private var fragmentsByName: [Int32] = []
    /// The most directives at one location of the definition at hand.
    var directives = 0

    init(_ document: Document) {
        for case .fragment(let definition) in document.definitions {
            let name = names.id(of: definition.name.value)
            while fragmentsByName.count <= Int(name) { fragmentsByName.append(-1) }
            fragmentsByName[Int(name)] = Int32(fragments.count)
            fragments.append(FragmentRecord(name: name, definition: definition))
        }
    }

    func fragment(named name: Int32) -> Int? {
        guard Int(name) < fragmentsByName.count, fragmentsByName[Int(name)] >= 0 else { return nil }
        return Int(fragmentsByName[Int(name)])
    }
}

struct SelectionSetRecord {
    /// The range in `DocumentIndex.selections`.
    var first: Int32
    var count: Int32
    /// The type in scope, where the schema knows it.
    var parentType: TypeIndex?
    /// The order of errors that are found once the document has been read.
    var ordinal: Int32 = 0
}

struct SelectionRecord {
    enum Kind: UInt8 { case field, spread, inlineFragment }

    var kind: Kind = .field
    /// Of a field, in `fields`; of a spread, in `spreads`.
    var position: Int32 = -1
    /// Of a field, its response name.
    var name: Int32 = -1
    /// The selection set inside a field or an inline fragment, or -1.
    var selectionSet: Int32 = -1
}

struct FieldRecord {
    var name: Int32
    var location: Location
    /// The schema outlives the index.
    var definition: Unmanaged<FieldType>?
    var arguments: [Argument]
    var hasAlias: Bool
    /// The arguments of its @stream.
    var stream: [Argument]?
}

struct SpreadRecord {
    var name: Int32
    var location: Location
    /// In `DocumentIndex.fragments`, or -1.
    var fragment: Int32
}

struct VariableUsage {
    var name: Int32
    var location: Location
    /// What the position asks for, where the schema knows it.
    var type: TypeReference?
    var hasDefault: Bool
    var oneOf: OneOfPosition?

    /// A field of a OneOf input object.
    struct OneOfPosition {
        var type: TypeIndex
        /// The object's position has a `!` or a list around it.
        var isWrapped: Bool
    }
}

struct OperationRecord {
    var definition: OperationDefinition
    /// The names of the variables that it defines, in their order.
    var variables: [Int32]
    var scope = DefinitionScope()
}

struct FragmentRecord {
    var name: Int32
    var definition: FragmentDefinition
    var scope = DefinitionScope()

    init(name: Int32, definition: FragmentDefinition) {
        self.name = name
        self.definition = definition
    }
}

/// What belongs to one operation or fragment, without what it spreads.
struct DefinitionScope {
    var selectionSet: Int32 = -1
    /// The definition's selection sets; those inside another come after it.
    var selectionSets = 0..<0
    /// The most directives at one location.
    var directives = 0
    var variableUsages = 0..<0
    /// Positions in `DocumentIndex.spreads`: a selection set's own before those of the sets inside it, the last first.
    var spreads: [Int32] = []
}
