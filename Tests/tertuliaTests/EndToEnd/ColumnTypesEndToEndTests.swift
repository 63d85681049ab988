import FoundationEssentials
import Glibc
import Postgres
import SystemPackage
import TestSupport
import Testing

@testable import tertulia

/// A schema whose columns are not those of the release, as a client and a load balancer meet it.
@Suite(.timeLimit(.minutes(10))) struct ColumnTypesEndToEndTests {
    @Test func aClientGetsAnErrorAndTheServerIsNotReadyUntilItIsMended() async throws {
        try await MigratedDatabase.with { cluster, connection in
            let home = FilePath("/tmp/tertulia-columns-\(getpid())")
            try FileManager.default.createDirectory(atPath: home.string, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: home.string) }
            let arguments = [
                "--database-url", cluster.url(user: Cluster.superuser), "--home", home.string, "--migrate",
                "--password-hash-log-n", "10", "--metrics-port", "0",
            ]
            let readsBigint = "OwnThoughts reads the column share_count as integer, but it is bigint"
            try await Replica.with(arguments, log: home.appending("log")) { replica in
                let ana = try await replica.signUp("ana")
                let input = "category: FUNNY, text: \"Seen.\""
                _ = try await replica.mutate("createThought", input, "thought", "id", as: ana)
                let query = "{ viewer { thoughts(first: 1) { nodes { shareCount } } } }"
                #expect(try await replica.post(query, as: ana).contains(#""shareCount":0"#))
                try await eventually("a server that is ready") { try await replica.get("/readyz").hasSuffix("ready\n") }

                try await connection.execute(script: "alter table thoughts alter share_count type bigint")
                let answer = try await replica.post(query, as: ana)
                #expect(answer.contains(#""code":"INTERNAL_SERVER_ERROR""#) && !answer.contains("shareCount\":"))
                #expect(replica.logged.contains(readsBigint))
                try await eventually("a server that is not ready") {
                    let readiness = try await replica.get("/readyz")
                    return readiness.hasPrefix("HTTP/1.1 503 ") && readiness.contains(readsBigint)
                }
                #expect(try await replica.get("/healthz").hasPrefix("HTTP/1.1 200 "))

                try await connection.execute(script: "alter table thoughts alter share_count type integer")
                try await eventually("a server that is ready again") {
                    try await replica.get("/readyz").hasPrefix("HTTP/1.1 200 ")
                }
                #expect(try await replica.post(query, as: ana).contains(#""shareCount":0"#))
            }
            // A server that begins on such a schema is not ready before its first request.
            try await connection.execute(script: "alter table users alter created_at type timestamp")
            try await Replica.with(arguments, log: home.appending("second.log")) { replica in
                let readiness = try await replica.get("/readyz")
                #expect(readiness.hasPrefix("HTTP/1.1 503 "))
                #expect(readiness.contains("UsersByID reads the column created_at as timestamp with time zone"))
            }
        }
    }
}
