import Foundation
import GraphQL

/// Usage: engine-benchmark DOCUMENT...
for path in CommandLine.arguments.dropFirst() {
    let source = Source(Array(try Data(contentsOf: URL(fileURLWithPath: path))), name: path)
    let name = URL(fileURLWithPath: path).lastPathComponent
    let document = try parse(source)
    measure("parse \(name)") { try? parse(source) }
    measure("print \(name)") { document.printed }
}
