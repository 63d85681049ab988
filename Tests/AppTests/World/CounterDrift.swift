import Postgres

@testable import App

/// Every stored counter that differs from the rows that it counts, in one statement; none when all is well.
struct CounterDrift: Statement {
    var sql: SQL {
        """
        select 'thought', d.* from counter_drift('thought', array(select id from thoughts)) d union all \
        select 'event', d.* from counter_drift('event', array(select id from events)) d union all \
        select 'conversation', d.* from counter_drift('conversation', array(select id from conversations)) d
        """
    }

    func decode(_ row: Row) throws -> DriftedCounter {
        guard let kind = DriftedCounter.Kind(rawValue: row.string(0)) else { throw UnknownKind() }
        return DriftedCounter(row, offset: 1, kind)
    }

    private struct UnknownKind: Error {}
}
