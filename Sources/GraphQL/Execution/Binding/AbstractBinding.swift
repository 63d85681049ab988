/// Binds an interface to the Swift type of its values, and says for each object type how it is taken out of it.
///
///     InterfaceBinding<FeedItem, RequestContext>("FeedItem") {
///         $0.member("Thought") { if case .thought(let thought) = $0 { thought } else { nil } }
///         $0.member("Event") { if case .event(let event) = $0 { event } else { nil } }
///     }
public struct InterfaceBinding<Value: AbstractValue, Context: ExecutionContext>: TypeBinding {
    public let erased: ErasedBinding

    public init(_ name: String, _ bind: (inout AbstractMembers<Value>) -> Void) {
        erased = ErasedBinding(
            name: name, swiftType: SwiftType(Value.self), kind: .interface(AbstractMembers(bind).members))
    }
}

/// Binds a union to the Swift type of its values, as `InterfaceBinding` does an interface.
public struct UnionBinding<Value: AbstractValue, Context: ExecutionContext>: TypeBinding {
    public let erased: ErasedBinding

    public init(_ name: String, _ bind: (inout AbstractMembers<Value>) -> Void) {
        erased = ErasedBinding(
            name: name, swiftType: SwiftType(Value.self), kind: .union(AbstractMembers(bind).members))
    }
}

public struct AbstractMembers<Value: AbstractValue> {
    public private(set) var members: [AbstractMember] = []

    init(_ bind: (inout Self) -> Void) { bind(&self) }

    /// Every possible type of the abstract type needs one. `extract` gives nil for values of other types.
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

/// A possible type of an abstract type.
public struct AbstractMember: Sendable {
    let name: String
    let swiftType: SwiftType
    /// Takes the values of this type, and of no member before, out of a column of abstract values.
    let extract: @Sendable (AnyColumn, inout AbstractSplit, _ member: Int32) -> (AnyColumn, count: Int)
}

/// For each slot of a column of abstract values its member, and its row among that member's objects; or -1.
/// Spec: 6.4.3 Value Completion, ResolveAbstractType
struct AbstractSplit: Sendable {
    var members: [Int32]
    var rows: [Int32]

    init(count: Int) {
        members = Array(repeating: -1, count: count)
        rows = members
    }
}
