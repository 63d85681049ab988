import GraphQL

/// What the generated code is to be like.
public struct GenerationOptions: Sendable {
    /// True if other modules see the generated types.
    public var isPublic: Bool
    /// Swift types of custom scalars by the scalars' names. A type conforms to `ScalarValue`.
    public var scalars: [String: String]

    public init(isPublic: Bool = false, scalars: [String: String] = [:]) {
        self.isPublic = isPublic
        self.scalars = scalars
    }
}

/// Swift source, and the documents that it sends.
public struct GeneratedSwift: Equatable, Sendable {
    /// One Swift file.
    public var source: String
    /// The documents by their ids, in the order of the operations: a server's trusted documents.
    public var documents: [(id: String, text: String)]

    public static func == (left: Self, right: Self) -> Bool {
        left.source == right.source && left.documents.elementsEqual(right.documents, by: ==)
    }
}

/// Writes Swift types for the operations and fragments of an app.
///
/// - Parameters:
///   - schema: the files of the schema's SDL.
///   - documents: the files of operations and fragments. The same files give the same text, in whatever order they
///     come.
///   - options: what the code is to be like.
/// - Throws: every mistake that was found, with its place.
public func generateSwift(
    schema: [Source], documents: [Source], options: GenerationOptions = GenerationOptions()
) throws(GenerationFailure) -> GeneratedSwift {
    let built = try clientSchema(schema)
    var set = try DocumentSet(documents.sorted { $0.name < $1.name }, schema: built)
    let mapping = TypeMapping(schema: built, scalars: options.scalars)
    let lists = try LiveList.all(in: set, mapping)
    let completion = SelectionCompletion(schema: built, documents: set)
    try set.replaceSelections(schema: built) { (selections, type) throws(GenerationFailure) in
        let isRoot = OperationType.allCases.contains { built.rootType(for: $0) == type }
        return try completion.complete(selections, on: type, isRoot: isRoot)
    }
    return try GeneratedFile(schema: built, documents: set, lists: lists, mapping: mapping, options: options).write()
}

/// The schema with the directives that only the generator reads.
private func clientSchema(_ sources: [Source]) throws(GenerationFailure) -> Schema {
    let files = try ParsedFiles(sources + [LiveList.directive])
    do { return try buildSchema(files.document) } catch { throw GenerationFailure(error.errors.map(files.problem)) }
}
