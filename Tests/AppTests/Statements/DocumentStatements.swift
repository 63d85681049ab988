import Foundation
import Postgres
import Testing

/// The statements that the documents of the folders `Operations/` send, by pool.
enum DocumentStatements {
    /// A statement a text, with the values of its first use.
    static func sent(on world: World) async throws -> [String: [SQL]] {
        var run = OperationRun(world: world)
        for path in OperationTests.documents {
            for step in try OperationDocument(OperationTests.folder.appendingPathComponent(path)).steps {
                // What one document deletes another misses: the statements are sent all the same.
                try? await run.run(step)
            }
        }
        var seen: Set<String> = []
        var statements: [String: [SQL]] = [:]
        for segment in run.segments {
            for sql in segment.sql where seen.insert(segment.pool + sql.text).inserted {
                if ["begin", "commit"].contains(sql.text) { continue }
                statements[segment.pool, default: []].append(sql)
            }
        }
        #expect(seen.count > 100)
        return statements
    }
}
