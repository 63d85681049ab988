/// Binds an interface to the Swift type of its values, with one member for each object type that implements it.
///
///     InterfaceBinding<FeedItem, RequestContext>("FeedItem") {
///         $0.member("Thought") { if case .thought(let thought) = $0 { thought } else { nil } }
///         $0.member("Event") { if case .event(let event) = $0 { event } else { nil } }
///     }
public struct InterfaceBinding<Value: AbstractValue, Context: ExecutionContext>: TypeBinding {
    public let erased: ErasedBinding

    /// - Parameters:
    ///   - name: the interface's name in the schema.
    ///   - bind: called once, to bind the members.
    public init(_ name: String, _ bind: (inout AbstractMembers<Value>) -> Void) {
        erased = ErasedBinding(
            name: name, swiftType: SwiftType(Value.self), kind: .interface(AbstractMembers(bind).members))
    }
}

/// Binds a union to the Swift type of its values, with one member for each of its member types, as
/// ``InterfaceBinding`` does.
public struct UnionBinding<Value: AbstractValue, Context: ExecutionContext>: TypeBinding {
    public let erased: ErasedBinding

    /// - Parameters:
    ///   - name: the union's name in the schema.
    ///   - bind: called once, to bind the members.
    public init(_ name: String, _ bind: (inout AbstractMembers<Value>) -> Void) {
        erased = ErasedBinding(
            name: name, swiftType: SwiftType(Value.self), kind: .union(AbstractMembers(bind).members))
    }
}

/// The members of an interface or union, bound one by one.
public struct AbstractMembers<Value: AbstractValue> {
    public private(set) var members: [AbstractMember] = []

    init(_ bind: (inout Self) -> Void) { bind(&self) }

    /// Binds a possible type of the interface or union. Each possible type needs a member.
    ///
    /// - Parameters:
    ///   - name: the object type's name in the schema.
    ///   - extract: returns the object that a value holds; nil for a value of another type.
    public mutating func member<Member: ObjectValue>(
        _ name: String, _ extract: @escaping @Sendable (Value) -> Member?
    ) {
        members.append(
            AbstractMember(name: name, swiftType: SwiftType(Member.self)) { column, split, index in
                let values = Column<Value>.of(column).values
                var extracted: [Member] = []
                for slot in values.indices where split.members[slot] < 0 {
                    guard let member = extract(values[slot]) else { continue }
                    split.members[slot] = index
                    split.rows[slot] = Int32(truncatingIfNeeded: extracted.count)
                    extracted.append(member)
                }
                return (Column(extracted), extracted.count)
            })
    }
}

/// A possible type of an interface or union, with its Swift types erased.
public struct AbstractMember: Sendable {
    let name: String
    let swiftType: SwiftType
    /// Copies the values of this type from a column of abstract values into a new column. The split records the row of
    /// each value in the new column. Values that an earlier member has extracted are skipped.
    let extract: @Sendable (AnyColumn, inout AbstractSplit, _ member: Int32) -> (AnyColumn, count: Int)
}

/// A column of abstract values, split by member. Each slot has the index of the value's member and the value's row
/// among the objects of that member. Both are -1 for a value that no member extracted.
/// Spec: 6.4.3 Value Completion, ResolveAbstractType
struct AbstractSplit: Sendable {
    var members: [Int32]
    var rows: [Int32]

    init(count: Int) {
        members = Array(repeating: -1, count: count)
        rows = members
    }
}
