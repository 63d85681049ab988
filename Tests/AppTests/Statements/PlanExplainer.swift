import Testing

@testable import App
@testable import Postgres

/// A connection that plans statements as those of a pool do.
struct PlanExplainer {
    private let connection: DedicatedConnection

    init(_ url: String, pool: String) async throws {
        let isWorker = pool == "worker"
        var configuration = ConnectionConfiguration(url, role: isWorker ? "tertulia_worker" : "tertulia_server")
        configuration.parameters = Pools.sessionParameters
        connection = try await DedicatedConnection.open(configuration)
        if !isWorker {
            let viewer = "019b7600-0000-7000-8000-00000000000a"
            try await connection.execute("select set_config('app.viewer_id', \(viewer), false)")
        }
        try await connection.execute(script: Self.genericPlan)
    }

    func close() async { await connection.close() }

    /// For the values of the statement.
    func plan(_ sql: SQL) async throws -> QueryPlan {
        let rows = try await connection.execute("explain (format json) \(sql)")
        return try QueryPlan(json: try #require(rows.first).string(0))
    }

    /// As a prepared statement keeps it, for any values.
    func genericPlan(_ sql: SQL) async throws -> QueryPlan {
        let oids = sql.parameters.map { Int64($0.oid) }
        let rows = try await connection.execute("select pg_temp.generic_plan(\(sql.text), \(oids))")
        return try QueryPlan(json: try #require(rows.first).string(0))
    }

    private static let genericPlan = """
        create function pg_temp.generic_plan(statement text, types bigint[]) returns json language plpgsql as $$
        declare
          names text := (select '(' || string_agg(format_type(oid, null), ', ') || ')' from unnest(types) as oid);
          nulls text := (select '(' || string_agg('null', ', ') || ')' from unnest(types));
          plan json;
        begin
          execute concat('prepare explained', names, ' as ', statement);
          execute concat('explain (format json) execute explained', nulls) into plan;
          deallocate explained;
          return plan;
        end $$;
        """
}
