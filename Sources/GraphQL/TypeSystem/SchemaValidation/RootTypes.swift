/// Spec: 3.3.1 Root Operation Types
extension SchemaValidation {
    mutating func checkRootTypes() {
        var operations: [(type: TypeIndex, operations: [OperationType])] = []
        for operation in OperationType.allCases {
            guard let root = schema.rootType(for: operation) else {
                if operation == .query {
                    report("Query root type must be provided.", at: [definitions?.schemaLocation])
                }
                continue
            }
            guard case .object = schema[root] else {
                reportNoObject(root, operation)
                continue
            }
            if let position = operations.firstIndex(where: { $0.type == root }) {
                operations[position].operations.append(operation)
            } else {
                operations.append((root, [operation]))
            }
        }
        for shared in operations where shared.operations.count > 1 {
            report(
                "All root types must be different, \"\(schema[shared.type].name)\" type is used as "
                    + "\(Self.list(shared.operations.map(\.rawValue))) root types.",
                at: shared.operations.map(location(ofRoot:)))
        }
    }

    private mutating func reportNoObject(_ root: TypeIndex, _ operation: OperationType) {
        let name = schema[root].name
        let (subject, condition) =
            switch operation {
            case .query: ("Query", "")
            case .mutation: ("Mutation", " if provided")
            case .subscription: ("Subscription", " if provided")
            }
        report(
            "\(subject) root type must be Object type\(condition), it cannot be \(name).",
            at: [location(ofRoot: operation) ?? definitions?.type(named: name)?.location])
    }

    private func location(ofRoot operation: OperationType) -> Location? {
        definitions?.schema?.operationTypes.first { $0.operation == operation }?.type.location
    }

    /// `a and b`, `a, b, and c`.
    private static func list(_ words: [String]) -> String {
        if words.count < 3 { return words.joined(separator: " and ") }
        return words.dropLast().joined(separator: ", ") + ", and " + words[words.count - 1]
    }
}
