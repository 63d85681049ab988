extension Execution {
    func complete(_ completed: CompletedColumn, _ field: PlannedField, _ stream: StreamUsage) -> CompletedSlots {
        switch initialCount(of: stream) {
        case .success(let count): return complete(completed, field, stream, initialCount: count)
        case .failure(let error): return .failed(error)
        }
    }

    private func initialCount(of stream: StreamUsage) -> Result<Int, ExecutionError> {
        var count = 0
        switch stream.initialCount {
        case .constant(let value): count = value
        case .variable(let name): if case .int(let value)? = variables[name] { count = value }
        }
        if count >= 0 { return .success(count) }
        return .failure(ExecutionError("The initialCount of @stream must not be negative.", code: .badUserInput))
    }

    /// The first items of each list; the others are left to a tail.
    /// Spec: incremental delivery, 6.4.3 Value Completion, CompleteListValue
    private func complete(
        _ completed: CompletedColumn, _ field: PlannedField, _ stream: StreamUsage, initialCount: Int
    ) -> CompletedSlots {
        switch completed {
        case .optional(let rows, let next):
            return .optional(rows: rows, complete(next, field, stream, initialCount: initialCount))
        case .failing(let rows, let errors, let next):
            let next = complete(next, field, stream, initialCount: initialCount)
            return .failing(rows: rows, errors: errors.map(mask), next)
        case .values: return complete(completed, field.children)
        case .list(let offsets, let items):
            var (head, tail): ([Int], [Int]) = ([], [])
            var (headOffsets, tailOffsets): ([Int32], [Int32]) = ([0], [0])
            for slot in offsets.indices.dropLast() {
                let rows = Int(offsets[slot])..<Int(offsets[slot + 1])
                head += rows.prefix(initialCount)
                tail += rows.dropFirst(initialCount)
                headOffsets.append(Int32(truncatingIfNeeded: head.count))
                tailOffsets.append(Int32(truncatingIfNeeded: tail.count))
            }
            if tail.isEmpty { return complete(completed, field.children) }
            return .streamed(
                offsets: headOffsets, complete(items.selecting(head), field.children),
                StreamTail(field, stream, offsets: tailOffsets, items.selecting(tail)))
        }
    }
}
