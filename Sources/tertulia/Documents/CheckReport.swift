import ArgumentParser
import GraphQL

/// The errors of one file, as text or JSON.
struct CheckReport {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    let file: String
    let errors: [GraphQLError]

    /// The report's lines, each with its line feed. As `text`, a file without errors has no lines.
    func lines(_ format: Format) -> String {
        switch format {
        case .text: errors.map { "\($0.place(in: file)): \($0.message)\n" }.joined()
        case .json: json + "\n"
        }
    }

    /// `{"file", "errors": [{"message", "locations": [{"line", "column"}]}]}`
    private var json: String {
        var writer = JSONWriter(capacity: 256)
        writer.write(
            InputObject([
                (name: "file", value: .string(file)), (name: "errors", value: .list(errors.map(Self.json))),
            ]))
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func json(_ error: GraphQLError) -> InputValue {
        let locations = error.locations.map { location in
            InputValue.object(
                InputObject([
                    (name: "line", value: .int(location.line)), (name: "column", value: .int(location.column)),
                ]))
        }
        return .object(
            InputObject([
                (name: "message", value: .string(error.message)), (name: "locations", value: .list(locations)),
            ]))
    }
}

extension GraphQLError {
    /// `file:line:column`, as editors read it.
    func place(in file: String) -> String {
        locations.first.map { "\(file):\($0.line):\($0.column)" } ?? file
    }
}
