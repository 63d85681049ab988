import GraphQL

/// Files of one language that are read as one document, and the file of each place in it.
struct ParsedFiles {
    let document: Document
    private let joined: JoinedSources

    /// - Throws: a problem for each file that does not parse.
    init(_ sources: [Source]) throws(GenerationFailure) {
        var problems: [GenerationProblem] = []
        for source in sources {
            do { _ = try parse(source) } catch {
                problems.append(
                    GenerationProblem(error.message, file: source.name, location: error.locations.first))
            }
        }
        guard problems.isEmpty else { throw GenerationFailure(problems) }
        joined = JoinedSources(sources)
        do { document = try parse(joined.source) } catch { throw GenerationFailure([GenerationProblem(error.message)]) }
    }

    func problem(_ message: String, at location: Location) -> GenerationProblem {
        problem(message, at: joined.source.location(of: location))
    }

    /// The problem stands at the error's first place; its message names the others. An error without a place belongs to
    /// the first file.
    func problem(_ error: GraphQLError) -> GenerationProblem {
        guard let first = error.locations.first else {
            return GenerationProblem(error.message, file: joined.source.name)
        }
        let others = error.locations.dropFirst().map { location in
            let place = joined.place(of: location)
            return "\(place.file):\(place.location.line):\(place.location.column)"
        }
        return problem(error.message + (others.isEmpty ? "" : " (\(others.joined(separator: ", ")))"), at: first)
    }

    private func problem(_ message: String, at location: SourceLocation) -> GenerationProblem {
        let place = joined.place(of: location)
        return GenerationProblem(message, file: place.file, location: place.location)
    }
}
