import ChangeFeed
import Postgres

/// Checks the standbys of DATABASE_REPLICA_URLS. The server runs without them, so their faults are only warnings.
struct StandbyChecks {
    struct State: Equatable {
        let isInRecovery: Bool
        /// The time at which the epoch of the change log began.
        let epoch: String
        /// The bytes of the primary's WAL that the standby had not replayed when both were asked.
        let missing: Int64
    }

    let primary: DedicatedConnection
    let standbys: [ServiceURL]

    func findings() async -> [Finding] {
        // A primary without the table of the epoch lacks migrations, which `DatabaseChecks` reports.
        guard !standbys.isEmpty, let epoch = try? await ChangeLogOrigin.epoch(primary) else { return [] }
        var findings: [Finding] = []
        for standby in standbys {
            let state = try? await state(of: standby)
            findings.append(Self.finding(standby.place, state, epoch: epoch.begunAt))
        }
        return findings
    }

    private func state(of standby: ServiceURL) async throws -> State? {
        let end = try await primary.execute(
            """
            select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end \
            - '0/0')::bigint
            """)[0].int64(0)
        var configuration = ConnectionConfiguration(standby.text)
        configuration.logger.logLevel = .critical
        configuration.statementTimeout = .seconds(2)
        let connection = try await DedicatedConnection.open(configuration)
        let result: State?
        do {
            let row = try await connection.execute(
                "select pg_is_in_recovery(), coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::bigint")[0]
            let epoch = try await ChangeLogOrigin.epoch(connection)
            result = State(
                isInRecovery: row.bool(0), epoch: epoch?.begunAt ?? "none", missing: max(0, end - row.int64(1)))
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
        return result
    }

    /// - Parameter state: nil for a standby that cannot be reached.
    static func finding(_ place: String, _ state: State?, epoch: String) -> Finding {
        let subject = "Standby \(place)"
        guard let state else {
            return .warning(
                subject, "cannot be reached: its reads run on the primary",
                remedy: "is it up, and may the login role connect to it?")
        }
        guard state.isInRecovery else {
            return .warning(
                subject, "is no standby: its reads run on the primary",
                remedy: "if it was promoted, name it in DATABASE_URL; else let it stream from the primary")
        }
        guard state.epoch == epoch else {
            return .warning(
                subject, "has another history than the primary: its reads run on the primary",
                remedy: "let it follow the present primary: pg_rewind, or a new base backup")
        }
        return .fine(subject, "lacks \(state.missing) bytes of the primary's WAL")
    }
}
