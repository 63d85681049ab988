import Postgres

/// The changes of at most 10,000 rows from one position through another, the newest first. They include all counter
/// changes of an object, also those that conflation replaced by a newer one before sending. Conflation may have held
/// back the newest counter change of an object, so a client that resumes at `last` may lack it.
struct ChangesBetween: Statement {
    let first: ChangePosition
    let last: ChangePosition
    let subjectKind: SubjectKind

    var sql: SQL {
        """
        select \(unsafe: Change.columns) from change_log c \
        where (c.xid, c.id) > (\(String(first.transaction))::xid8, \(first.row - 2)) \
        and (c.xid, c.id) <= (\(String(last.transaction))::xid8, \(last.row)) \
        order by c.xid desc, c.id desc limit 10000
        """
    }

    func decode(_ row: Row) -> [Change] {
        let change = Change(row: row)
        let changes = [change.countersOfSubject(subjectKind), change]
        return changes.compactMap { $0 }.filter { first <= $0.position && $0.position <= last }
    }
}
