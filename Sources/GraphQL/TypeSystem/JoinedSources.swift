/// Several files joined to one text, with the file of each line.
public struct JoinedSources: Sendable {
    public let source: Source
    private let parts: [(name: String, firstLine: Int)]

    public init(_ sources: [Source]) {
        var bytes: [UInt8] = []
        var parts: [(name: String, firstLine: Int)] = []
        var line = 1
        for source in sources {
            parts.append((source.name, line))
            let start = bytes.count
            bytes += source.bytes
            bytes.append(UInt8(ascii: "\n"))
            let part = Source(Array(bytes[start...]))
            line += part.location(of: Location(offset: part.bytes.count)).line - 1
        }
        self.source = Source(bytes, name: sources.first?.name ?? "GraphQL schema")
        self.parts = parts
    }

    /// The name of the file in which a place of ``source`` is, and the place within that file.
    public func place(of location: SourceLocation) -> (file: String, location: SourceLocation) {
        guard let part = parts.last(where: { $0.firstLine <= location.line }) else { return (source.name, location) }
        return (part.name, SourceLocation(line: location.line - part.firstLine + 1, column: location.column))
    }

    /// The error with each location counted within its file. The message gets the file, line and column of each.
    func placed(_ error: GraphQLError) -> GraphQLError {
        guard !error.locations.isEmpty else { return error }
        var placed = error
        var places: [String] = []
        placed.locations = error.locations.map { location in
            let (file, own) = place(of: location)
            places.append("\(file):\(own.line):\(own.column)")
            return own
        }
        placed.message += " (\(places.joined(separator: ", ")))"
        return placed
    }
}

extension GraphQLError {
    /// The error with the file, line and column of each location added to its message. Without a location, the file
    /// alone is added.
    func naming(_ source: Source) -> GraphQLError {
        var named = self
        let places = locations.map { "\(source.name):\($0.line):\($0.column)" }
        named.message += " (\(places.isEmpty ? source.name : places.joined(separator: ", ")))"
        return named
    }
}
