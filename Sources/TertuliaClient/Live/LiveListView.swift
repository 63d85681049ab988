import GRDB

/// The rows of a list in memory. After a change only the rows that it concerns are read again.
struct LiveListView<Row: SelectedObject> {
    private let name: String
    private let listKey: String
    private let variables: JSONObject
    /// The keys whose changes concern the list.
    private(set) var dependencies: Set<String>
    private var keys: [String] = []
    private var rows: [String: Row] = [:]
    /// The keys of `rows`, and of rows that could not be read.
    private var known: Set<String> = []
    /// The rows that have looked up a record, by the record's key.
    private var dependents: [String: Set<String>] = [:]
    private var state = ListState()
    /// The number of the last transaction that `rows` show; nil before the first read.
    private var transaction: Int64?

    init(name: String, listKey: String, variables: JSONObject) {
        self.name = name
        self.listKey = listKey
        self.variables = variables
        dependencies = [listKey]
    }

    /// Brings the rows, their order and the list's state to one moment: the snapshot that the connection reads.
    func read(_ changes: ChangedKeys, in database: Database) throws -> Answer {
        var answer = Answer(transaction: try ChangedKeys.number(in: database))
        let changed = transaction.flatMap { changes.keys(after: $0, upTo: answer.transaction) }
        var stale: Set<String> = []
        for key in changed ?? [] { stale.formUnion(dependents[key] ?? []) }
        if changed?.contains(listKey) ?? true {
            let keys = try ListTable.keys(of: name, in: database)
            answer.order = (keys, try ListTable.state(of: name, in: database) ?? ListState())
            // Where the changed keys are not known, each row may be one.
            stale.formUnion(changed == nil ? keys : keys.filter { !known.contains($0) })
        }
        for key in stale {
            var reader = RecordReader(variables: variables) { try RecordTable.patched($0, in: database) }
            let object = try reader.object(key, Row.selection)
            answer.rows.append((key, object.flatMap { try? Row(ObjectReader($0)) }, reader.dependencies))
        }
        return answer
    }

    mutating func take(_ answer: Answer) {
        transaction = answer.transaction
        if let order = answer.order {
            keys = order.keys
            state = order.state
            let present = Set(keys)
            for gone in known.subtracting(present) { rows[gone] = nil }
            known = present
        }
        for row in answer.rows where known.contains(row.key) {
            rows[row.key] = row.value
            for dependency in row.dependencies {
                dependents[dependency, default: []].insert(row.key)
                dependencies.insert(dependency)
            }
        }
    }

    func snapshot(_ phase: LiveRows<Row>.Phase) -> LiveRows<Row> {
        let known = keys.compactMap { key in rows[key].map { (key, $0) } }
        return LiveRows(
            rows: known.map(\.1), ids: known.map(\.0), phase: phase, hasNextPage: state.hasNextPage,
            beyondEnd: state.beyondEnd,
            isStale: state.isStale)
    }

    /// What has changed since the last read.
    struct Answer: Sendable {
        /// The number of the last transaction in the snapshot.
        let transaction: Int64
        /// nil where it is the same as before.
        var order: (keys: [String], state: ListState)?
        var rows: [(key: String, value: Row?, dependencies: Set<String>)] = []

        init(transaction: Int64) { self.transaction = transaction }
    }
}
