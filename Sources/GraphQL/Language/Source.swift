/// GraphQL text as UTF-8 bytes, with the name that tools print in front of a position.
public struct Source: Sendable {
    public let bytes: [UInt8]
    public let name: String

    public init(_ bytes: [UInt8], name: String = "GraphQL request") {
        self.bytes = bytes
        self.name = name
    }

    public init(_ text: String, name: String = "GraphQL request") {
        self.init(Array(text.utf8), name: name)
    }
}

/// A byte offset into a `Source`. Line and column are computed only when an error is reported.
public struct Location: Hashable, Sendable {
    public let offset: Int32

    public init(offset: Int) { self.offset = Int32(truncatingIfNeeded: offset) }

    /// For nodes that were built by code, not parsed.
    public static let none = Location(offset: -1)
}

/// A line and a column, both counted from 1. Columns count UTF-16 code units, as clients' editors do.
public struct SourceLocation: Hashable, Sendable {
    public let line: Int
    public let column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
