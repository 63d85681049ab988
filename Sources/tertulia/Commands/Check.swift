import ArgumentParser
import GraphQL

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Parse and validate documents against any schema; exit 1 if one is wrong.")

    @Option(help: "File of the schema's SDL; repeat it for a schema in several files.")
    var schema: [String]

    @Option(
        name: .customLong("rule"),
        help: ArgumentHelp(
            "Check this rule alone, such as ScalarLeafs; may be repeated. By default all rules of the specification.",
            valueName: "name"),
        transform: Self.rule)
    var rules: [ValidationRuleName] = []

    @Option(help: "text, or json: one line a file.")
    var format = CheckReport.Format.text

    @ArgumentParser.Argument(help: ArgumentHelp("Documents to check.", valueName: "file"))
    var files: [String]

    func run() throws {
        let reports = reports()
        for report in reports { print(report.lines(format), terminator: "") }
        if reports.contains(where: { !$0.errors.isEmpty }) { throw ExitCode.failure }
    }

    /// One report a file; if the schema is invalid, a single report for the schema.
    func reports() -> [CheckReport] {
        let check: DocumentCheck
        do { check = DocumentCheck(schema: try readSchema(), rules: rules) } catch {
            return [CheckReport(file: schema.joined(separator: ","), errors: error.errors)]
        }
        return files.map { CheckReport(file: $0, errors: errors(in: $0, check)) }
    }

    private func errors(in file: String, _ check: DocumentCheck) -> [GraphQLError] {
        do { return check.errors(in: try DocumentFile(file).source) } catch {
            return [GraphQLError(error.description)]
        }
    }

    private func readSchema() throws(RequestError) -> Schema {
        var sources: [Source] = []
        for file in schema {
            do { sources.append(try DocumentFile(file).source) } catch {
                throw RequestError([GraphQLError("\(file): \(error.description)")])
            }
        }
        if sources.count > 1 { return try buildSchema(sources: sources) }
        let document: Document
        do { document = try GraphQL.parse(sources[0]) } catch { throw RequestError([error]) }
        return try buildSchema(document)
    }

    private static func rule(_ name: String) throws -> ValidationRuleName {
        if let rule = ValidationRuleName(name: name) { return rule }
        let names = ValidationRuleName.allCases.map(\.rawValue).sorted().joined(separator: ", ")
        throw ValidationError("There is no rule \(name); there are \(names).")
    }
}
