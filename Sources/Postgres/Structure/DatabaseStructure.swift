/// The contents of a database's schema `public`, read from the catalogue. For each table the text has the columns,
/// constraints, indexes, policies, grants and triggers, and the functions that the triggers call. All other functions,
/// the types, the views and the roles follow. Equal schemas have equal texts, however they were created.
public struct DatabaseStructure: Sendable {
    public let text: String

    /// - Throws: `PostgresError`.
    public init(_ connection: DedicatedConnection) async throws {
        // All statements read the same snapshot, and names are printed without their schema.
        text = try await connection.transaction { connection in
            try await connection.execute("set transaction isolation level repeatable read, read only")
            try await connection.execute("set local search_path = public, pg_temp")
            return try await Composer(connection).text()
        }
    }
}

/// Composes the text from the catalogue's rows.
private struct Composer {
    let tables: [StructureTable]
    let lines: [String: [StructurePart.Kind: [StructurePart]]]
    let functions: [String: StructureFunction]
    let others: [String]

    init(_ connection: DedicatedConnection) async throws {
        tables = try await connection.run(StructureTables())
        let parts = try await connection.run(StructureParts())
        lines = Dictionary(grouping: parts, by: \.table).mapValues { Dictionary(grouping: $0, by: \.kind) }
        let all = try await connection.run(StructureFunctions())
        functions = Dictionary(uniqueKeysWithValues: all.map { ($0.signature, $0) })
        others = try await connection.run(StructureOthers())
    }

    func text() -> String {
        var printed: [String: String] = [:]
        var sections = [
            """
            -- The schema that the migrations make. Generated: tertulia migrate --print-structure
            -- A function that a trigger calls stands with the first table that has such a trigger, and so do the functions
            -- that it calls in turn, unless requests or background work call them, too.
            """
        ]
        for table in tables { sections.append(section(of: table, &printed)) }
        let rest = functions.values.filter { printed[$0.signature] == nil }.sorted { $0.signature < $1.signature }
        sections.append(heading("Other functions"))
        sections += rest.map(\.text)
        sections.append(heading("Types, views and roles"))
        sections += others
        return sections.joined(separator: "\n\n") + "\n"
    }

    private func section(of table: StructureTable, _ printed: inout [String: String]) -> String {
        let parts = lines[table.name] ?? [:]
        func texts(_ kinds: StructurePart.Kind...) -> [String] { kinds.flatMap { parts[$0] ?? [] }.map(\.text) }
        var sections = [heading(table.name)]
        let body = texts(.column, .constraint).map { "  \($0)" }.joined(separator: ",\n")
        sections.append("CREATE TABLE \(table.name) (\n\(body)\n)\(table.suffix);")
        for lines in [texts(.reference), texts(.index), texts(.security, .policy), texts(.grant)] where !lines.isEmpty {
            sections.append(lines.joined(separator: "\n"))
        }
        for trigger in parts[.trigger] ?? [] {
            sections.append(trigger.text)
            append(trigger.function, of: table, to: &sections, &printed)
        }
        return sections.joined(separator: "\n\n")
    }

    /// Appends a trigger function, and the `inner` functions that it calls. For a function that is already printed with
    /// another table, appends a reference to that table.
    private func append(
        _ signature: String, of table: StructureTable, to sections: inout [String], _ printed: inout [String: String]
    ) {
        if let place = printed[signature] {
            if place != table.name { sections.append("-- \(signature): see \(place)") }
            return
        }
        guard let function = functions[signature] else { return }
        printed[signature] = table.name
        sections.append(function.text)
        for inner in function.inner { append(inner, of: table, to: &sections, &printed) }
    }

    private func heading(_ title: String) -> String {
        "-- \(title) " + String(repeating: "-", count: max(0, 116 - title.utf8.count))
    }
}
