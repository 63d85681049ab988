import App
import ArgumentParser
import GraphQL

struct PrintSchema: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "schema", abstract: "Print the schema's SDL.")

    func run() throws { print(printSchema(try Domain.schema())) }
}
