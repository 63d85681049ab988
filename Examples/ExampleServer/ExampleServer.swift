import ArgumentParser
import GraphQL
import GraphQLTransport
import Logging
import NIOCore
import ServiceLifecycle
import SystemPackage

/// Serves `example.graphql` with every transport. The top of that file tells what each field does.
@main
struct ExampleServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "example-server", abstract: "A GraphQL server without a database, to try clients against.")

    @Option(help: "The port on 127.0.0.1; 0 takes any that is free.")
    var port = 4000

    @Option(help: "How long a socket may wait with connection_init, in milliseconds.")
    var connectionInitTimeout: Int64 = 3_000

    func run() async throws {
        var settings = ServerSettings()
        settings.port = port
        settings.streams.connectionInitTimeout = .milliseconds(connectionInitTimeout)
        let logger = Logger(label: "example") { StructuredLogHandler(label: $0, format: .text, level: .warning) }

        var server = GraphQLServer(
            schema: try Example.schema(), settings: settings, logger: logger, authenticate: { _ in RequestContext() })
        server.schemaDocument = Example.definitions
        server.onListening = { port in
            let line = "The example serves http://127.0.0.1:\(port)/graphql, with a playground at its root.\n"
            _ = try? FileDescriptor.standardOutput.writeAll(line.utf8)
        }
        try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger).run()
    }
}
