import ClientDocuments
import GraphQL

/// An operation of a document, with the values of its variables. The generator writes the types that conform.
public protocol GraphQLOperation: Sendable {
    /// The response's `data`.
    associatedtype Data: SelectedObject
    /// The operation's name in its document.
    static var name: String { get }
    /// The SHA-256 of ``document`` in hexadecimal digits, by which a server with trusted documents knows it.
    static var documentID: String { get }
    /// The operation and its fragments.
    static var document: String { get }
    /// The variables, in the order of their definitions.
    var variableFields: [InputField] { get }
}

public protocol QueryOperation: GraphQLOperation {}
public protocol MutationOperation: GraphQLOperation {}
public protocol SubscriptionOperation: GraphQLOperation {}

extension GraphQLOperation {
    static var clientDocument: ClientDocument { ClientDocument(name: name, id: documentID, text: document) }

    /// The variables as they are sent, with the files among them.
    public var variables: EncodedVariables {
        var encoder = InputEncoder()
        let values = encoder.object(variableFields)
        return EncodedVariables(values: values, uploads: encoder.uploads)
    }
}

/// Variables as JSON. A file is null in `values`.
public struct EncodedVariables: Sendable {
    public var values: JSONObject
    public var uploads: [UploadPart]

    public init(values: JSONObject = JSONObject(), uploads: [UploadPart] = []) {
        self.values = values
        self.uploads = uploads
    }
}

/// What a selection set of the documents has become. The generator writes the types that conform.
public protocol SelectedObject: OutputValue, Equatable {
    /// By what the store writes and reads the object.
    static var selection: SelectionSet { get }
    init(_ object: ObjectReader) throws(UnreadableResponse)
}

extension SelectedObject {
    public init(output: JSONValue) throws(UnreadableResponse) {
        guard case .object(let object) = output else { throw UnreadableResponse(expected: "an object") }
        try self.init(ObjectReader(object))
    }
}

/// A query that marks a list with `@live(changes:)`.
public protocol LiveQuery: QueryOperation {
    /// The fragment that an item of the list is.
    associatedtype Row: SelectedObject
    associatedtype Changes: ChangeSubscription where Changes.Row == Row
    /// The response names from the root to the connection.
    static var connection: [String] { get }
    /// The query for the page after a cursor.
    func page(after cursor: String) -> Self
}

/// A subscription to the changes of a list.
public protocol ChangeSubscription: SubscriptionOperation {
    associatedtype Row: SelectedObject
    /// The response name of the subscription's field.
    static var changeField: String { get }
    /// The subscription to the changes after a cursor.
    func resuming(after cursor: String) -> Self
}

/// What the store has to know of the schema. The generator writes `SchemaDescription.generated`.
public struct SchemaDescription: Sendable, Equatable {
    public enum Identity: Sendable {
        /// An id belongs to one object of all types.
        case global
        /// An id belongs to one object of its type.
        case perType
    }

    /// A digest of the schema's output fields and their types: a store that was written for others is emptied.
    public let version: String
    public let identity: Identity

    public init(version: String, identity: Identity) {
        self.version = version
        self.identity = identity
    }
}
