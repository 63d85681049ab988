/// The types at the node that a rule is called for, and the errors that rules report.
struct ValidationContext {
    let schema: Schema
    let options: ValidationOptions
    var index: DocumentIndex

    // MARK: Types at the node

    /// The type of the enclosing selection set.
    var parentType: TypeIndex?
    /// The definition of the current field, or of the field that encloses the current argument.
    var field: FieldType?
    /// The type condition of the current inline fragment, or the parent type where it has none.
    var fragmentType: TypeIndex?
    /// The definition of the current directive.
    var directive: DirectiveType?
    /// The definition of the current argument.
    var argument: InputValueType?
    /// The type that the schema expects of the current value.
    var inputType: TypeReference?
    /// The input object type of the current object field.
    var inputObject: InputObjectType?
    /// True within the value of a sensitive field of an input object.
    var isSensitive = false
    /// The fragment of the current spread, a position in `DocumentIndex.fragments`; nil where the document has none.
    var fragmentOfSpread: Int?

    private(set) var reports: [Report] = []
    /// The place, in the order of errors, of the errors that are reported now. It is even, and each reservation makes
    /// it greater. Reserved places are odd.
    private var ordinal: Int32 = 0
    private let maximumErrors: Int

    struct Report {
        var ordinal: Int32
        var message: String
        var locations: [Location]
        var code: ErrorCode = .validationFailed
        var extensions: [(name: String, value: InputValue)] = []
    }

    init(_ document: Document, _ schema: Schema, _ options: ValidationOptions) {
        self.schema = schema
        self.options = options
        index = DocumentIndex(document)
        maximumErrors = max(1, options.maximumErrors)
    }

    // MARK: Errors

    mutating func report(_ message: String, at locations: Location...) {
        report(message, at: locations)
    }

    mutating func report(_ message: String, at locations: [Location]) {
        guard reports.count <= maximumErrors else { return }
        reports.append(Report(ordinal: ordinal, message: message, locations: locations))
    }

    /// Reserves a place in the order of errors, for an error that can be reported only once the document has been read.
    mutating func reserveOrdinal() -> Int32 {
        defer { ordinal += 2 }
        return ordinal + 1
    }

    mutating func report(_ message: String, at locations: [Location], ordinal: Int32) {
        reports.append(Report(ordinal: ordinal, message: message, locations: locations))
    }

    mutating func report(_ report: Report) { reports.append(report) }

    /// The errors in the order in which the walk meets their causes. If there are more than
    /// `ValidationOptions.maximumErrors`, the last error returned says so.
    func errors(in source: Source) -> [GraphQLError] {
        if reports.isEmpty { return [] }
        let ordered = reports.indices.sorted { (reports[$0].ordinal, $0) < (reports[$1].ordinal, $1) }
        let isOver = ordered.count > maximumErrors
        let shown = ordered.prefix(isOver ? maximumErrors - 1 : maximumErrors).map { reports[$0] }
        var places = source.locations(of: shown.flatMap(\.locations))[...]
        var errors = shown.map { report in
            defer { places = places.dropFirst(report.locations.count) }
            return GraphQLError(
                report.message, locations: Array(places.prefix(report.locations.count)),
                extensions: InputObject([(name: "code", value: .string(report.code.rawValue))] + report.extensions))
        }
        if isOver {
            errors.append(
                GraphQLError(
                    "Too many validation errors, error limit reached. Validation aborted.", code: .validationFailed))
        }
        return errors
    }

    /// True where messages suggest names. False also where the list of errors is full, since the search for names is
    /// costly.
    var wantsSuggestions: Bool { options.suggestions && reports.count <= maximumErrors }

    /// ` Did you mean …?`; empty where suggestions are not wanted.
    func didYouMean(_ suggestions: @autoclosure () -> [String], _ subject: String = "") -> String {
        wantsSuggestions ? GraphQL.didYouMean(suggestions(), subject) : ""
    }

    // MARK: The schema and the document

    func notation(of type: TypeReference) -> String { schema.notation(of: type) }

    func fragment(named name: String) -> FragmentDefinition? {
        index.fragments.last { $0.definition.name.value == name }?.definition
    }

    /// Visits the operation's own usages of variables, then those of the fragments that it spreads.
    mutating func forEachVariableUsage(
        in operation: OperationRecord,
        _ body: (_ usage: VariableUsage, _ isInFragment: Bool, _ context: inout ValidationContext) -> Void
    ) {
        for usage in operation.scope.variableUsages { body(index.variableUsages[usage], false, &self) }
        for fragment in index.fragments(reachableFrom: operation) {
            for usage in index.fragments[fragment].scope.variableUsages {
                body(index.variableUsages[usage], true, &self)
            }
        }
    }
}
