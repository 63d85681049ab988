extension CostModel {
    struct Outcome {
        var cost: Int
        var unslicedFields: [String]
    }

    /// Floating point throughout: it saturates where a document multiplies lists beyond measure.
    func evaluate(_ variable: (String) -> InputValue?) -> Outcome {
        var terms = [[Term]](repeating: [], count: steps.count)
        var unsliced: [String] = []
        for set in order {
            var sum: [Term] = []
            for step in steps[set] {
                let inner = step.selectionSet >= 0 ? terms[step.selectionSet] : []
                switch step.kind {
                case .fragment(let objectType):
                    for term in inner {
                        sum.add(Term(objectType: objectType ?? term.objectType, list: term.list, cost: term.cost))
                    }
                case .field(let field):
                    sum.add(Term(objectType: nil, list: nil, cost: field.weight))
                    let (size, isProper) = size(of: field, variable)
                    if !isProper && !unsliced.contains(field.name) { unsliced.append(field.name) }
                    let perObject = cost(ofObject: inner, field, size) + field.typeWeight
                    let count = field.sizedFields.isEmpty && field.list == nil ? size : 1
                    sum.add(Term(objectType: nil, list: field.list, cost: perObject * count))
                }
            }
            terms[set] = sum
        }
        let total = total(terms[root]) { _ in defaultListSize }
        return Outcome(cost: Int(min(total.rounded(.up), Double(Int32.max))), unslicedFields: unsliced)
    }

    private func cost(ofObject terms: [Term], _ field: FieldCost, _ size: Double) -> Double {
        total(terms) { field.sizedFields.contains($0) ? size : defaultListSize }
    }

    /// What holds for any object, and the dearest of what holds for one type.
    private func total(_ terms: [Term], _ size: (Int32) -> Double) -> Double {
        var common = 0.0
        var byType: [(type: TypeIndex, cost: Double)] = []
        for term in terms {
            let cost = term.cost * (term.list.map(size) ?? 1)
            guard let type = term.objectType else {
                common += cost
                continue
            }
            if let position = byType.firstIndex(where: { $0.type == type }) {
                byType[position].cost += cost
            } else {
                byType.append((type, cost))
            }
        }
        return common + (byType.map(\.cost).max() ?? 0)
    }

    private func size(
        of field: FieldCost, _ variable: (String) -> InputValue?
    ) -> (size: Double, isProper: Bool) {
        switch field.size {
        case .one: return (1, true)
        case .unknown: return (defaultListSize, true)
        case .known(let size): return (size, true)
        case .sliced(let slices, let otherwise, let requiresOne):
            var given: [Double] = []
            var defaults: [Double] = []
            for slice in slices {
                switch slice {
                case .literal(let size): given.append(size)
                case .default(let size): defaults.append(size)
                case .variable(let name, let defaultSize):
                    if let size = variable(name).flatMap(\.sliceSize) {
                        given.append(size)
                    } else if let defaultSize {
                        defaults.append(defaultSize)
                    }
                }
            }
            let size = given.max() ?? defaults.max() ?? otherwise
            return (size, !requiresOne || given.count == 1 || (given.isEmpty && defaults.count == 1))
        }
    }
}

extension InputValue {
    /// How long a list a slicing argument asks for; nil where it does not say.
    var sliceSize: Double? {
        switch self {
        case .int(let number): Double(max(number, 0))
        case .float(let number): max(number, 0)
        case .list(let items): Double(items.count)
        case .null, .string, .boolean, .enumeration, .object, .upload, .secret: nil
        }
    }
}

extension [CostModel.Term] {
    fileprivate mutating func add(_ term: CostModel.Term) {
        if term.cost == 0 { return }
        if let position = firstIndex(where: { $0.objectType == term.objectType && $0.list == term.list }) {
            self[position].cost += term.cost
        } else {
            append(term)
        }
    }
}
