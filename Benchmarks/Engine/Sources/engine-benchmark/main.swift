import Foundation
import GraphQL

/// Usage: engine-benchmark [--schema SDL] DOCUMENT...
///        engine-benchmark attacks
var paths = Array(CommandLine.arguments.dropFirst())
if paths == ["attacks"] { exit(try AttackBenchmark().run() ? 0 : 1) }
var schema: Schema?
if paths.first == "--schema", paths.count > 1 {
    schema = try buildSchema(try parse(Source(Array(try Data(contentsOf: URL(fileURLWithPath: paths[1]))))))
    paths.removeFirst(2)
}
for path in paths {
    let source = Source(Array(try Data(contentsOf: URL(fileURLWithPath: path))), name: path)
    let name = URL(fileURLWithPath: path).lastPathComponent
    let document = try parse(source)
    measure("parse \(name)") { try? parse(source) }
    measure("print \(name)") { document.printed }
    if let schema {
        measure("validate \(name)") { validate(document, against: schema) }
        measure("cost \(name)") { QueryMeasure(document, against: schema).metrics() }
    }
}

try await ExecutionBenchmark().run()
