/// The cost of one operation as a function of its variables, after the GraphQL Cost Directives specification.
///
/// A field costs its own weight (`@cost` on the field; 10 at the root of a mutation, else 0), its arguments' weights,
/// and for each object that it may return that object's weight (`@cost` on the type; 1, or 0 for scalars and enums) and
/// what is selected within. A list has the size that its slicing arguments ask for (the largest of them; a list given
/// counts its items), else its `assumedSize`, else `CostOptions.defaultListSize`; with `sizedFields` the size holds for
/// these fields of the object returned. Of the selections on different object types the dearest counts, since an object
/// is of one type only; @skip and @include are taken as not skipping. What introspection costs depends on the schema and is
/// added once the operation is planned: see `QueryMetrics.add`.
///
/// One reading of our own: what a page is wrapped in is free, namely the object whose `sizedFields` carry the size, an
/// edge (an item of such a field that has a `cursor` and a `node`), and `PageInfo`. A page of 100 things then costs 100
/// whether it is read through `nodes` or through `edges`.
struct CostModel: Sendable {
    /// What a selection set adds for the objects of one type (or of any), within one list field (or outside of them).
    struct Term: Sendable {
        var objectType: TypeIndex?
        /// A list whose size the enclosing field's `sizedFields` may give; in `names`.
        var list: Int32?
        var cost: Double
    }

    /// A selection; the sets it refers to come before its own.
    struct Step: Sendable {
        enum Kind: Sendable {
            /// A field, which costs its own weight, and for each object its type's.
            case field(FieldCost)
            /// A fragment: the same terms once more.
            case fragment(onObjectType: TypeIndex?)
        }

        var kind: Kind
        /// What it selects, or -1.
        var selectionSet: Int
    }

    struct FieldCost: Sendable {
        var name: String
        var weight: Double
        var typeWeight: Double
        var size: Size
        /// The name, where the enclosing field may give its size.
        var list: Int32?
        /// The fields of the object returned that `size` holds for; empty: for this field itself.
        var sizedFields: [Int32]
    }

    enum Size: Sendable {
        case one
        /// Of a list without @listSize: as the enclosing field says, or the default.
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
}
