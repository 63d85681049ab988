import GraphQL

/// What EXPLAIN says of a statement.
/// Source: PostgreSQL's manual, "EXPLAIN", FORMAT JSON
struct QueryPlan: CustomStringConvertible {
    private let root: Node

    init(json: String) throws {
        guard case .list(let plans) = try parseJSON(Array(json.utf8)), case .object(let plan) = plans.first,
            let root = plan["Plan"].flatMap(Node.init)
        else { throw JSONShape() }
        self.root = root
    }

    private struct JSONShape: Error {}

    var description: String { root.lines.joined(separator: "\n") }

    /// Reads of whole tables, and sorts of as many rows as they have, where they are larger than `limit`.
    func problems(_ rowCounts: [String: Double], over limit: Double) -> [String] {
        root.flattened.compactMap { node in
            switch node.type {
            case "Seq Scan":
                guard let table = node.table, rowCounts[table, default: 0] > limit else { return nil }
                return "reads all of \(table)"
            case "Sort": return node.rows > limit ? "sorts \(Int(node.rows)) rows" : nil
            default: return nil
            }
        }
    }

    private struct Node {
        let type: String
        let table: String?
        let index: String?
        let rows: Double
        let children: [Node]

        init?(_ value: InputValue) {
            guard case .object(let fields) = value else { return nil }
            func text(_ name: String) -> String? {
                if case .string(let text) = fields[name] { text } else { nil }
            }
            type = text("Node Type") ?? ""
            table = text("Relation Name")
            index = text("Index Name")
            rows =
                switch fields["Plan Rows"] {
                case .int(let rows): Double(rows)
                case .float(let rows): rows
                default: 0
                }
            children = if case .list(let plans) = fields["Plans"] { plans.compactMap(Node.init) } else { [] }
        }

        var flattened: [Node] { [self] + children.flatMap(\.flattened) }

        var lines: [String] {
            let name = [type, index, table].compactMap { $0 }.joined(separator: " ")
            return ["\(name) (\(Int(rows)) rows)"] + children.flatMap(\.lines).map { "  \($0)" }
        }
    }
}
