import Postgres

/// The rows that an import has read, on their way to the temporary tables of its connection.
struct Stage {
    /// The number of rows, of all kinds together, that wait in memory before they are copied.
    private static let batch = 2_000

    private let connection: DedicatedConnection
    private var accounts: [StagedAccount] = []
    private var profiles: [StagedProfile] = []
    private var thoughts: [StagedThought] = []
    private var events: [StagedEvent] = []
    private var comments: [StagedComment] = []
    private var acts: [StagedAct] = []
    private var waiting = 0
    private(set) var lastNumber: Int64 = 0

    /// Makes the temporary tables.
    init(_ connection: DedicatedConnection) async throws {
        self.connection = connection
        for table in [
            StagedAccount.table, StagedProfile.table, StagedThought.table, StagedEvent.table, StagedComment.table,
            StagedAct.table,
        ] { try await connection.execute(table) }
    }

    /// The number of the next row in the order of reading.
    mutating func nextNumber() -> Int64 {
        lastNumber += 1
        return lastNumber
    }

    mutating func add(_ row: StagedAccount) { append(row, to: \.accounts) }
    mutating func add(_ row: StagedProfile) { append(row, to: \.profiles) }
    mutating func add(_ row: StagedThought) { append(row, to: \.thoughts) }
    mutating func add(_ row: StagedEvent) { append(row, to: \.events) }
    mutating func add(_ row: StagedComment) { append(row, to: \.comments) }
    mutating func add(_ row: StagedAct) { append(row, to: \.acts) }

    private mutating func append<Row>(_ row: Row, to rows: WritableKeyPath<Stage, [Row]>) {
        self[keyPath: rows].append(row)
        waiting += 1
    }

    mutating func copyIfFull() async throws { if waiting >= Self.batch { try await copy() } }

    mutating func copy() async throws {
        try await Self.copy(&accounts, connection)
        try await Self.copy(&profiles, connection)
        try await Self.copy(&thoughts, connection)
        try await Self.copy(&events, connection)
        try await Self.copy(&comments, connection)
        try await Self.copy(&acts, connection)
        waiting = 0
    }

    private static func copy<Row: StagedRow>(_ rows: inout [Row], _ connection: DedicatedConnection) async throws {
        if rows.isEmpty { return }
        let batch = rows
        try await connection.copyIn(Row.copy) { writer in
            for row in batch { try row.write(to: &writer) }
        }
        rows.removeAll(keepingCapacity: true)
    }
}
