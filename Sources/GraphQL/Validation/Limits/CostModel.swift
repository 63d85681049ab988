/// The weights of types and fields that have no `@cost`.
public struct CostOptions: Sendable {
    /// The weight of an object type, an interface or a union, for each object.
    public var object: Double
    /// The weight of a root field of a mutation, besides the objects that it returns.
    public var mutation: Double
    /// The number of items of a list without `@listSize`.
    public var defaultListSize: Double

    public init(object: Double = 1, mutation: Double = 10, defaultListSize: Double = 1) {
        self.object = object
        self.mutation = mutation
        self.defaultListSize = defaultListSize
    }
}

/// The cost of one operation as a function of its variables.
/// Spec: GraphQL Cost Directives
///
/// A field costs its own weight (`@cost` on the field; 10 at the root of a mutation, else 0), its arguments' weights,
/// and for each object that it may return that object's weight (`@cost` on the type; 1, or 0 for scalars and enums) and
/// what is selected within. A list has the size that its slicing arguments ask for (the largest of them; a list given
/// counts its items), else its `assumedSize`, else `CostOptions.defaultListSize`; with `sizedFields` the size holds for
/// these fields of the object returned. Of the selections on different object types the dearest counts, since an object
/// is of one type only; @skip and @include are taken as not skipping. What introspection costs depends on the schema
/// and is added once the operation is planned: see `QueryMetrics.add`.
///
/// An addition to the specification: the wrapping of a page is free, namely the object whose `sizedFields` carry the
/// size, an edge (an item of such a field that has a `cursor` and a `node`), and `PageInfo`. A page of 100 objects then
/// costs 100, both through `nodes` and through `edges`.
struct CostModel: Sendable {
    /// The cost that a selection set adds for objects of one type, or of any type, in one list, or outside of lists.
    struct Term: Sendable {
        var objectType: TypeIndex?
        /// The name of a list whose size may follow from the `sizedFields` of the enclosing field: a number in `names`.
        var list: Int32?
        var cost: Double
    }

    /// A selection. The set inside it comes before the set that has it.
    struct Step: Sendable {
        enum Kind: Sendable {
            /// Costs its own weight, and the weight of its type for each object.
            case field(FieldCost)
            /// Costs what its selection set costs.
            case fragment(onObjectType: TypeIndex?)
        }

        var kind: Kind
        /// The selection set inside it, or -1.
        var selectionSet: Int
    }

    struct FieldCost: Sendable {
        var name: String
        var weight: Double
        var typeWeight: Double
        var size: Size
        /// The name, for a list whose size may follow from the enclosing field.
        var list: Int32?
        /// The fields of the returned object whose size `size` is; where empty, it is the size of this field.
        var sizedFields: [Int32]
    }

    enum Size: Sendable {
        case one
        /// The size of a list without `@listSize`: the enclosing field's size for it, or the default.
        case unknown
        case known(Double)
        case sliced(by: [Slice], otherwise: Double, requiresOne: Bool)
    }

    enum Slice: Sendable {
        case literal(Double)
        case variable(String, default: Double?)
        case `default`(Double)
    }

    /// By selection set, for all operations of the document.
    var steps: [[Step]]
    /// The selection sets that the operation reaches, bottom up.
    var order: [Int]
    var root: Int
    var defaultListSize: Double
    var dependsOnVariables: Bool

    // MARK: - Evaluation

    struct Outcome {
        var cost: Int
        var unslicedFields: [String]
    }

    /// Computes with floating-point numbers, since a document may multiply lists beyond what an integer holds. The
    /// outcome is at most `Int32.max`.
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

    /// The costs of objects of any type, and the greatest cost of objects of one type.
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
    /// The length of the list that a slicing argument asks for; nil where it does not tell.
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
