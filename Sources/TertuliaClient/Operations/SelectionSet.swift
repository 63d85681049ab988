/// The selected fields of an object, as the store writes and reads them.
/// Spec: 2.5 Selection Sets
public struct SelectionSet: Sendable {
    public let selections: [Selection]

    public init(_ selections: [Selection]) { self.selections = selections }
}

public indirect enum Selection: Sendable {
    case field(SelectedField)
    /// Fields of a fragment whose type condition every object meets.
    case always(SelectionSet)
    /// Fields of a fragment for objects of the named types.
    case on([String], SelectionSet)
    /// Selected only if all conditions of at least one alternative hold.
    case conditional([[SelectionCondition]], Selection)
    /// A selection under `@defer`, which may come later than the rest of the response.
    case deferred(Selection)

    public static func field(
        _ name: String, alias: String? = nil, arguments: [(String, ArgumentValue)] = [],
        isSignedAddress: Bool = false, _ selection: SelectionSet? = nil
    ) -> Selection {
        .field(
            SelectedField(
                name: name, responseName: alias ?? name, arguments: arguments.sorted { $0.0 < $1.0 },
                isSignedAddress: isSignedAddress, selection: selection))
    }
}

public struct SelectedField: Sendable {
    public let name: String
    /// The key of the field's value in the response.
    public let responseName: String
    /// In the order of their names.
    public let arguments: [(String, ArgumentValue)]
    /// True where the schema marks the field with `@signedAddress`: the store has its URLs without their queries.
    public let isSignedAddress: Bool
    /// nil for a leaf.
    public let selection: SelectionSet?
}

/// `@include` or `@skip`.
public enum SelectionCondition: Sendable {
    /// Holds where the variable is true.
    case include(String)
    /// Holds where the variable is not true.
    case skip(String)
    case constant(Bool)

    func holds(_ variables: JSONObject) -> Bool {
        switch self {
        case .include(let name): variables[name] == .boolean(true)
        case .skip(let name): variables[name] != .boolean(true)
        case .constant(let value): value
        }
    }
}

/// An argument as a document has it.
public indirect enum ArgumentValue: Sendable {
    case variable(String)
    case null
    case int(Int)
    case float(Double)
    case string(String)
    case boolean(Bool)
    case list([ArgumentValue])
    case object([(String, ArgumentValue)])

    /// The value; nil for a variable that is not given.
    func value(_ variables: JSONObject) -> JSONValue? {
        switch self {
        case .variable(let name): variables[name]
        case .null: .null
        case .int(let value): .int(value)
        case .float(let value): .float(value)
        case .string(let value): .string(value)
        case .boolean(let value): .boolean(value)
        case .list(let values): .list(values.map { $0.value(variables) ?? .null })
        case .object(let fields):
            .object(JSONObject(fields.compactMap { name, value in value.value(variables).map { (name, $0) } }))
        }
    }
}

extension SelectedField {
    /// The arguments that choose a page. Live lists that differ only in these are one list in the store.
    static let pageArguments: Set<String> = ["first", "after", "last", "before"]

    /// The field's name with its arguments, in the order of their names: `feed({"first":20})`. An absent argument and
    /// one that is null give different keys.
    func storageKey(_ variables: JSONObject, leavingOut left: Set<String> = []) -> String {
        let given = arguments.compactMap { name, value in
            left.contains(name) ? nil : value.value(variables).map { (name: name, value: $0.sorted) }
        }
        return given.isEmpty ? name : name + "(" + JSONValue.object(JSONObject(given)).jsonText + ")"
    }
}

extension JSONValue {
    /// The value with the members of its objects in the order of their names.
    fileprivate var sorted: JSONValue {
        switch self {
        case .object(let object):
            .object(JSONObject(object.fields.sorted { $0.name < $1.name }.map { ($0.name, $0.value.sorted) }))
        case .list(let list): .list(list.map(\.sorted))
        default: self
        }
    }
}
