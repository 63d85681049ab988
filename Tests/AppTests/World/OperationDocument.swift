import Foundation
import GraphQL
import Testing

/// A file of operations that run one after another on one world. A step begins with a line that says who asks:
///
///     # as: ben, nobody           people of the world, or `bearer`: whoever has the newest access token
///     # variables: {"first": 2}
///     # with: id = createThought.thought.id      a variable's value from the newest answer that has the path
///     # repeat: text = 2000 × "👨‍👩‍👧‍👦"             a variable's value: a text or a list, so many times
///     # upload: image = png 3x2                   a variable's value: a picture so wide and high, or `text` as a file
///     # sql: update users set bio = 'x'          what a superuser does first
///     # ranks: refreshed                         the orders by rank are up to date before the step
///     # notifications: written                   the notifications of all steps before are written
struct OperationDocument {
    let url: URL
    let steps: [OperationStep]

    init(_ url: URL) throws {
        self.url = url
        var steps: [OperationStep] = []
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("# as: ") || steps.isEmpty { steps.append(OperationStep()) }
            try steps[steps.count - 1].append(line)
        }
        self.steps = steps
    }

    /// The recorded file beside the document.
    func recorded(_ suffix: String) -> URL { url.deletingPathExtension().appendingPathExtension(suffix) }
}

struct OperationStep {
    static let bearer = "bearer"

    private(set) var text = ""
    private(set) var askers: [String] = ["nobody"]
    private(set) var variables = InputObject()
    private(set) var bindings: [(variable: String, path: String)] = []
    private(set) var script: String?
    private(set) var ranksAreRefreshed = false
    private(set) var notificationsAreWritten = false

    /// The operation's, if it has one.
    var name: String? { text.firstMatch(of: /^(query|mutation) (\w+)/.anchorsMatchLineEndings()).map { String($0.2) } }

    mutating func append(_ line: Substring) throws {
        let parts = line.split(separator: ": ", maxSplits: 1)
        switch parts.first {
        case "# as": askers = parts[1].split(separator: ", ").map(String.init)
        case "# ranks": ranksAreRefreshed = true
        case "# notifications": notificationsAreWritten = true
        case "# sql": script = (script ?? "") + parts[1] + ";\n"
        case "# with":
            let sides = parts[1].split(separator: " = ")
            bindings.append((String(sides[0]), String(sides[1])))
        case "# variables":
            guard case .object(let object) = try parseJSON(Array(parts[1].utf8)) else {
                throw CocoaError(.coderInvalidValue)
            }
            variables = object
        case "# repeat":
            let sides = parts[1].split(separator: " = ", maxSplits: 1)
            let factors = sides[1].split(separator: " × ", maxSplits: 1)
            let value = try parseJSON(Array(factors[1].utf8)).repeated(try #require(Int(factors[0])))
            variables.fields.append((name: String(sides[0]), value: value))
        case "# upload":
            let sides = parts[1].split(separator: " = ", maxSplits: 1)
            let upload = Upload(filename: "", contentType: "image/png", bytes: try Self.file(sides[1]))
            variables.fields.append((name: String(sides[0]), value: .upload(upload)))
        default: text += line + "\n"
        }
    }
}

extension OperationStep {
    fileprivate static func file(_ description: Substring) throws -> [UInt8] {
        if description.hasPrefix("text ") { return Array(description.dropFirst(5).utf8) }
        let size = try #require(description.firstMatch(of: /^png (\d+)x(\d+)$/)).output
        return SamplePNG(width: try #require(Int(size.1)), height: try #require(Int(size.2))).bytes
    }
}

struct NotAnswered: Error {
    let path: String
}

/// The answers so far, to take values from.
struct OperationAnswers {
    private var answers: [InputValue] = []

    mutating func append(_ answer: InputValue) { answers.append(answer) }

    func bound(_ bindings: [(variable: String, path: String)], _ variables: InputObject) throws -> InputObject {
        InputObject(variables.fields + (try bindings.map { (name: $0.variable, value: try value($0.path)) }))
    }

    /// What the newest answer that has it has at `path`, from a root field on or from below any root field.
    func value(_ path: String) throws -> InputValue {
        let keys = path.split(separator: ".").map(String.init)
        let found = answers.lazy.reversed().compactMap { answer -> InputValue? in
            guard let data = answer[["data"]], case .object(let fields) = data else { return nil }
            return data[keys] ?? fields.fields.lazy.compactMap { $0.value[keys] }.first
        }.first
        guard let found else { throw NotAnswered(path: path) }
        return found
    }
}

extension InputValue {
    fileprivate func repeated(_ count: Int) throws -> InputValue {
        switch self {
        case .string(let text): .string(String(repeating: text, count: count))
        case .list(let items): .list(Array(repeating: items, count: count).flatMap { $0 })
        default: throw CocoaError(.coderInvalidValue)
        }
    }

    /// nil where there is nothing, or null. A key may be the index of a list's item.
    fileprivate subscript(path: some Collection<String>) -> InputValue? {
        guard let key = path.first else { return self == .null ? nil : self }
        switch self {
        case .object(let object): return object[key]?[path.dropFirst()]
        case .list(let items):
            guard let index = Int(key), items.indices.contains(index) else { return nil }
            return items[index][path.dropFirst()]
        default: return nil
        }
    }
}
