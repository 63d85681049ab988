/// Spec: 5.5.2.2 Fragment Spreads Must Not Form Cycles
struct NoFragmentCycles: ValidationRule {
    /// For each fragment, the ordinal of its errors. Errors are sorted by their ordinals.
    private var ordinals: [Int32] = []

    mutating func enter(_ fragment: FragmentDefinition, _ context: inout ValidationContext) {
        ordinals.append(context.reserveOrdinal())
    }

    func leave(_ document: Document, _ context: inout ValidationContext) {
        var search = CycleSearch(fragmentCount: context.index.fragments.count)
        for fragment in ordinals.indices { search.visit(fragment, ordinal: ordinals[fragment], &context) }
    }
}

/// A depth-first search without recursion, since a chain of fragments may be as long as the document.
private struct CycleSearch {
    private var visited: Set<Int32> = []
    /// For each fragment, its position on `path`; -1 if the fragment is not on it.
    private var depths: [Int]
    private var path: [(fragment: Int, nextSpread: Int)] = []
    /// The spreads that lead from each fragment on `path` to the next.
    private var spreads: [Int32] = []
    private var reported = 0

    init(fragmentCount: Int) { depths = [Int](repeating: -1, count: fragmentCount) }

    mutating func visit(_ root: Int, ordinal: Int32, _ context: inout ValidationContext) {
        enter(root, context)
        while let (fragment, nextSpread) = path.last {
            let own = context.index.fragments[fragment].scope.spreads
            guard nextSpread < own.count else {
                depths[fragment] = -1
                path.removeLast()
                _ = spreads.popLast()
                continue
            }
            path[path.count - 1].nextSpread += 1
            let spread = own[nextSpread]
            let target = Int(context.index.spreads[Int(spread)].fragment)
            if target < 0 { continue }
            spreads.append(spread)
            if depths[target] >= 0 {
                report(from: depths[target], ordinal: ordinal, &context)
                spreads.removeLast()
            } else if !enter(target, context) {
                spreads.removeLast()
            }
        }
    }

    @discardableResult
    private mutating func enter(_ fragment: Int, _ context: ValidationContext) -> Bool {
        guard visited.insert(context.index.fragments[fragment].name).inserted else { return false }
        depths[fragment] = path.count
        path.append((fragment, 0))
        return true
    }

    private mutating func report(from depth: Int, ordinal: Int32, _ context: inout ValidationContext) {
        reported += 1
        if reported > context.options.maximumErrors + 1 { return }
        let cycle = spreads[depth...].map { context.index.spreads[Int($0)] }
        let names = cycle.map { "\"\(context.index.names.name($0.name))\"" }
        let via = cycle.count > 1 ? " via \(names.dropLast().joined(separator: ", "))." : "."
        context.report(
            "Cannot spread fragment \(names[names.count - 1]) within itself\(via)", at: cycle.map(\.location),
            ordinal: ordinal)
    }
}
