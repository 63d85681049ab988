import GraphQL

/// A mistake in a schema or a document, with its place.
public struct GenerationProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// A sentence for the person who wrote the document.
    public var message: String
    /// The file's name as it was given; empty where the mistake belongs to none.
    public var file: String
    /// nil where the mistake belongs to a file as a whole.
    public var location: SourceLocation?

    public init(_ message: String, file: String = "", location: SourceLocation? = nil) {
        self.message = message
        self.file = file
        self.location = location
    }

    /// `file:line:column: error: message`, which Xcode and SwiftPM show at the line.
    public var description: String {
        guard !file.isEmpty else { return "error: \(message)" }
        let place = location.map { ":\($0.line):\($0.column)" } ?? ":1:1"
        return "\(file)\(place): error: \(message)"
    }
}

/// All the mistakes that one run has found.
public struct GenerationFailure: Error, Equatable, Sendable, CustomStringConvertible {
    public var problems: [GenerationProblem]

    public init(_ problems: [GenerationProblem]) { self.problems = problems }

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
