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
/// A field costs its own weight (`@cost` on the field; `CostOptions.mutation` at the root of a mutation, else 0), its
/// arguments' weights, and for each object that it may return that object's weight (`@cost` on the type;
/// `CostOptions.object`, or 0 for scalars and enums) and what is selected within. A list has the size that its slicing
/// arguments ask for (the largest of them; a list given counts its items), else its `assumedSize`, else
/// `CostOptions.defaultListSize`; with `sizedFields` the size holds for these fields of the object returned. Of the
/// selections on different object types the dearest counts, since an object is of one type only; @skip and @include are
/// taken as not skipping. The cost of introspection depends on the schema and is added once the operation is planned:
/// see `QueryMetrics.add`.
///
/// An addition to the specification: the objects around the items of a page are free. They are the object that a field
/// with `sizedFields` returns, an edge (an object whose type has a `cursor` and a `node`), and `PageInfo`. A page of
/// 100 objects then costs 100, both through `nodes` and through `edges`.
struct CostModel: Sendable {
    /// A part of a selection set's cost. It counts for objects of `objectType` only, or of any type where this is nil.
    /// The size of `list` multiplies it; where `list` is nil, it counts once.
    struct Term: Sendable {
        var objectType: TypeIndex?
        /// The name of a list whose size may follow from the `sizedFields` of the enclosing field: a number in `names`.
        var list: Int32?
        var cost: Double
    }

    /// A selection. `order` has the set inside it before the set that it belongs to.
    struct Step: Sendable {
        enum Kind: Sendable {
            /// Costs its own weight, and the weight of its type for each object.
            case field(FieldCost)
            /// Costs what its selection set costs.
            case fragment(onObjectType: TypeIndex?)
        }

        var kind: Kind
        /// The selection set inside it, or -1.
        var selectionSet: Int32
    }

    /// Without references, since steps are copied often.
    struct FieldCost: Sendable {
        var weight: Double
        var typeWeight: Double
        /// For a field with `@listSize` its position in `sizes`; else -1.
        var size: Int32 = -1
        /// For a list without `@listSize` its name, a number in `names`: its size may follow from the `sizedFields` of
        /// the enclosing field. Else -1.
        var list: Int32 = -1
    }

    /// The size that a field with `@listSize` asks for.
    struct Size: Sendable {
        var field: String
        /// Empty where there are no slicing arguments.
        var slices: [Slice]
        /// The size where no slicing argument gives one.
        var otherwise: Double
        var requiresOne: Bool
        /// The fields of the returned object that have the size, by name; nil where the field itself has it.
        var sizedFields: [Int32]?
    }

    enum Slice: Sendable {
        case literal(Double)
        case variable(String, default: Double?)
        case `default`(Double)
    }

    /// The steps of all selection sets of the document.
    var steps: [Step]
    /// By selection set, its range in `steps`.
    var ranges: [Range<Int>]
    var sizes: [Size]
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

    /// The greatest cost of a term, and the greatest size of a list; greater ones are cut to it. The product of an
    /// infinite cost and the size of an empty list would not be a number.
    static let greatest = Double(Int32.max)

    /// Computes with floating-point numbers, since a document may multiply lists beyond what an integer holds.
    func evaluate(_ variable: (String) -> InputValue?) -> Outcome {
        var sums = Sums(sets: ranges.count)
        var unsliced: [String] = []
        for set in order {
            sums.begin()
            for step in steps[ranges[set]] {
                let inner = step.selectionSet >= 0 ? sums.ranges[Int(step.selectionSet)] : 0..<0
                switch step.kind {
                case .fragment(let objectType):
                    for index in inner {
                        let term = sums.terms[index]
                        sums.add(Term(objectType: objectType ?? term.objectType, list: term.list, cost: term.cost))
                    }
                case .field(let field):
                    sums.add(Term(objectType: nil, list: nil, cost: field.weight))
                    guard field.size >= 0 else {
                        let perObject = total(sums.terms[inner]) { _ in defaultListSize } + field.typeWeight
                        sums.add(Term(objectType: nil, list: field.list < 0 ? nil : field.list, cost: perObject))
                        continue
                    }
                    let list = sizes[Int(field.size)]
                    let (size, isProper) = list.evaluate(variable)
                    if !isProper && !unsliced.contains(list.field) { unsliced.append(list.field) }
                    let sizedFields = list.sizedFields ?? []
                    let perObject =
                        total(sums.terms[inner]) { sizedFields.contains($0) ? size : defaultListSize }
                        + field.typeWeight
                    let count = list.sizedFields == nil ? size : 1
                    sums.add(Term(objectType: nil, list: nil, cost: perObject * count))
                }
            }
            sums.end(set)
        }
        let total = total(sums.terms[sums.ranges[root]]) { _ in defaultListSize }
        return Outcome(cost: Int(max(0, min(total.rounded(.up), Self.greatest))), unslicedFields: unsliced)
    }

    /// The sum of the terms for objects of any type, and of the dearest object type's terms.
    private func total(_ terms: ArraySlice<Term>, _ size: (Int32) -> Double) -> Double {
        var common = 0.0
        var byType: [(type: TypeIndex, cost: Double)] = []
        for term in terms {
            let cost = min(term.cost * (term.list.map(size) ?? 1), Self.greatest)
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
}

extension CostModel.Size {
    fileprivate func evaluate(_ variable: (String) -> InputValue?) -> (size: Double, isProper: Bool) {
        if slices.isEmpty { return (min(otherwise, CostModel.greatest), !requiresOne) }
        var given = Sizes()
        var defaults = Sizes()
        for slice in slices {
            switch slice {
            case .literal(let size): given.add(size)
            case .default(let size): defaults.add(size)
            case .variable(let name, let defaultSize):
                if let size = variable(name).flatMap(\.sliceSize) {
                    given.add(size)
                } else if let defaultSize {
                    defaults.add(defaultSize)
                }
            }
        }
        let size = min(given.greatest ?? defaults.greatest ?? otherwise, CostModel.greatest)
        return (size, !requiresOne || given.count == 1 || (given.count == 0 && defaults.count == 1))
    }
}

/// The sizes that slicing arguments ask for.
private struct Sizes {
    private(set) var count = 0
    private(set) var greatest: Double?

    mutating func add(_ size: Double) {
        count += 1
        greatest = max(greatest ?? size, size)
    }
}

extension InputValue {
    /// The length of the list that a slicing argument with this value asks for; nil unless it is a number or a list.
    var sliceSize: Double? {
        switch self {
        case .int(let number): Double(max(number, 0))
        case .float(let number): max(number, 0)
        case .list(let items): Double(items.count)
        case .null, .string, .boolean, .enumeration, .object, .upload, .secret: nil
        }
    }
}

/// The terms of selection sets, one set after the other.
private struct Sums {
    private(set) var terms: [CostModel.Term] = []
    /// By selection set, its range in `terms`; empty until the set has ended.
    private(set) var ranges: [Range<Int>]
    private var first = 0

    init(sets: Int) { ranges = [Range<Int>](repeating: 0..<0, count: sets) }

    mutating func begin() { first = terms.count }

    mutating func end(_ set: Int) { ranges[set] = first..<terms.count }

    mutating func add(_ term: CostModel.Term) {
        if term.cost == 0 { return }
        if let position = terms[first...].firstIndex(where: {
            $0.objectType == term.objectType && $0.list == term.list
        }) {
            terms[position].cost = min(terms[position].cost + term.cost, CostModel.greatest)
        } else {
            var added = term
            added.cost = min(term.cost, CostModel.greatest)
            terms.append(added)
        }
    }
}
