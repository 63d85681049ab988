import Foundation
import GraphQL

/// One kind of work of the engine, on one document.
struct Workload: Sendable {
    let name: String
    let work: @Sendable () async throws -> Void

    /// Parse, print, validate and cost for the documents of `Documents/`; plan and execution for a list.
    static func all() throws -> [Workload] {
        let documents = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Documents").standardized
        let schema = try schema(path: documents.appending(path: "schema.graphql").path)
        let kept = try ["2k.graphql", "60k.graphql"].flatMap {
            try language(path: documents.appending(path: $0).path, schema: schema)
        }
        let execution = try ExecutionBenchmark()
        return kept + [
            Workload(name: "plan list") { _ = try execution.makePlan() },
            Workload(name: "execute 1,000 x 10") { _ = try await execution.execute() },
        ]
    }

    static func schema(path: String) throws -> Schema {
        try buildSchema(parse(Source(Array(try Data(contentsOf: URL(fileURLWithPath: path))))))
    }

    /// The work on a document before it is planned; validation and cost only where there is a schema.
    static func language(path: String, schema: Schema?) throws -> [Workload] {
        let file = URL(fileURLWithPath: path)
        let name = file.deletingPathExtension().lastPathComponent
        let source = Source(Array(try Data(contentsOf: file)), name: path)
        let document = try parse(source)
        var workloads = [
            Workload(name: "parse \(name)") { _ = try parse(source) },
            Workload(name: "print \(name)") { _ = document.printed },
        ]
        if let schema {
            let validated = try ValidatedDocument(document, against: schema)
            workloads += [
                Workload(name: "validate \(name)") { _ = validate(document, against: schema) },
                Workload(name: "cost \(name)") { _ = QueryMeasure(validated).metrics() },
            ]
        }
        return workloads
    }

    /// The time of one `work()` in the best of 500 rounds of at least two milliseconds, so that other processes of the
    /// machine count little.
    func microseconds() async throws -> Double {
        let clock = ContinuousClock()
        var best = Duration.seconds(3600)
        for _ in 0..<500 {
            let start = clock.now
            var count = 0
            repeat {
                try await work()
                count += 1
            } while clock.now - start < .milliseconds(2)
            best = min(best, (clock.now - start) / count)
        }
        let microseconds = Double(best.components.attoseconds) / 1e12 + Double(best.components.seconds) * 1e6
        return (microseconds * 100).rounded() / 100
    }
}
