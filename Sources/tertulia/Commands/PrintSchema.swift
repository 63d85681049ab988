import App
import ArgumentParser
import GraphQL
import SystemPackage

struct PrintSchema: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "schema", abstract: "Print the schema's SDL.")

    @Flag(help: "Print the introspection result instead.") var json = false

    func run() async throws {
        let schema = try Domain.schema()
        let text = json ? try await introspectionFromSchema(schema) : Array(printSchema(schema).utf8)
        try FileDescriptor.standardOutput.writeAll(text + [UInt8(ascii: "\n")])
    }
}
