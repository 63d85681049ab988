import GraphQL

/// What the generated code is to be like.
public struct GenerationOptions: Sendable {
    /// Whether other modules see the generated types.
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
    /// A server's trusted documents by their ids: those of the operations in their order, then those that the client sends
    /// for the session.
    public var documents: [(id: String, text: String)]

    public static func == (left: Self, right: Self) -> Bool {
        left.source == right.source && left.documents.elementsEqual(right.documents, by: ==)
    }
}

/// Writes Swift types for the operations and fragments of an app.
///
/// - Parameters:
///   - schema: the files of the schema's SDL.
///   - documents: the files of operations and fragments. The same files give the same text, in whatever order they come.
///   - options: what the code is to be like.
/// - Throws: every mistake that was found, with its place.
public func generateSwift(
    schema: [Source], documents: [Source], options: GenerationOptions = GenerationOptions()
) throws(GenerationFailure) -> GeneratedSwift {
    let built = try clientSchema(schema)
    var set = try DocumentSet(documents.sorted { $0.name < $1.name }, schema: built)
    let lists = try LiveList.all(in: set)
    let completion = SelectionCompletion(schema: built, documents: set)
    try set.replaceSelections(schema: built) { (selections, type) throws(GenerationFailure) in
        let isRoot = OperationType.allCases.contains { built.rootType(for: $0) == type }
        return try completion.complete(selections, on: type, isRoot: isRoot)
    }
    return try GeneratedFile(schema: built, documents: set, lists: lists, options: options).write()
}

/// The schema with the directives that only the generator reads.
private func clientSchema(_ sources: [Source]) throws(GenerationFailure) -> Schema {
    do { return try buildSchema(sources: sources + [LiveList.directive]) } catch {
        // The place of each mistake already stands in its message.
        throw GenerationFailure(error.errors.map { GenerationProblem($0.message, file: sources.first?.name ?? "") })
    }
}
