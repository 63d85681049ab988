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
    private var isEmpty = true

    init(name: String, listKey: String, variables: JSONObject) {
        self.name = name
        self.listKey = listKey
        self.variables = variables
        dependencies = [listKey]
    }

    /// What has to be read again.
    func request(for changed: Set<String>) -> LiveListRead<Row> {
        var stale: Set<String> = []
        for key in changed { stale.formUnion(dependents[key] ?? []) }
        return LiveListRead(
            name: name, variables: variables, readsOrder: isEmpty || changed.contains(listKey), stale: stale,
            known: known)
    }

    mutating func take(_ answer: LiveListRead<Row>.Answer) {
        isEmpty = false
        if let order = answer.order {
            keys = order.keys
            state = order.state
            let present = Set(keys)
            for gone in known.subtracting(present) { rows[gone] = nil }
            known = present
        }
        for row in answer.rows {
            rows[row.key] = row.value
            for dependency in row.dependencies {
                dependents[dependency, default: []].insert(row.key)
                dependencies.insert(dependency)
            }
        }
    }

    func snapshot(_ phase: LiveRows<Row>.Phase) -> LiveRows<Row> {
        LiveRows(
            rows: keys.compactMap { rows[$0] }, phase: phase, hasNextPage: state.hasNextPage,
            beyondEnd: state.beyondEnd,
            isStale: state.isStale)
    }
}

/// A read of a list's rows, all of one state of the store.
struct LiveListRead<Row: SelectedObject>: Sendable {
    struct Answer: Sendable {
        /// nil where the order was not to be read.
        var order: (keys: [String], state: ListState)?
        var rows: [(key: String, value: Row?, dependencies: Set<String>)] = []
    }

    let name: String
    let variables: JSONObject
    let readsOrder: Bool
    let stale: Set<String>
    let known: Set<String>

    func read(in database: Database) throws -> Answer {
        var answer = Answer()
        var stale = stale
        if readsOrder {
            let keys = try ListTable.keys(of: name, in: database)
            answer.order = (keys, try ListTable.state(of: name, in: database) ?? ListState())
            stale.formUnion(keys.filter { !known.contains($0) })
        }
        for key in stale {
            var reader = RecordReader(variables: variables) { try RecordTable.patched($0, in: database) }
            let object = try reader.object(key, Row.selection)
            answer.rows.append((key, object.flatMap { try? Row(ObjectReader($0)) }, reader.dependencies))
        }
        return answer
    }
}
