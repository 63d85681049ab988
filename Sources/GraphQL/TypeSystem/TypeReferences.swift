/// A named type, in any number of list and non-null wrappers.
/// Spec: 3.4.1 Wrapping Types
public indirect enum TypeReference: Hashable, Sendable {
    case named(TypeIndex)
    case list(TypeReference)
    case nonNull(TypeReference)

    /// True for `T!`.
    public var isNonNull: Bool { if case .nonNull = self { true } else { false } }

    /// The type without an outer `!`.
    public var nullable: TypeReference { if case .nonNull(let type) = self { type } else { self } }

    /// The named type inside all wrappers.
    public var namedType: TypeIndex {
        switch self {
        case .named(let index): index
        case .list(let type), .nonNull(let type): type.namedType
        }
    }
}

extension Schema {
    /// A type reference in GraphQL's notation, such as `[Thought!]!`.
    public func notation(of reference: TypeReference) -> String {
        switch reference {
        case .named(let index): self[index].name
        case .list(let item): "[\(notation(of: item))]"
        case .nonNull(let nullable): "\(notation(of: nullable))!"
        }
    }

    /// The type reference for a parsed one; nil where the schema has no type of that name.
    public func typeReference(for node: TypeNode) -> TypeReference? {
        switch node {
        case .named(let named): typeIndex(named: named.name.value).map(TypeReference.named)
        case .list(let item, _): typeReference(for: item).map(TypeReference.list)
        case .nonNull(let nullable, _): typeReference(for: nullable).map(TypeReference.nonNull)
        }
    }

    /// True where a field of type `type` may implement an interface's field of type `expected`: `type` is the same type
    /// or a narrower one.
    /// Spec: 3.6 Objects, IsValidImplementationFieldType
    public func isSubtype(_ type: TypeReference, of expected: TypeReference) -> Bool {
        switch (type, expected) {
        case _ where type == expected: true
        case (.nonNull(let type), .nonNull(let expected)): isSubtype(type, of: expected)
        case (.nonNull(let type), _): isSubtype(type, of: expected)
        case (.list(let type), .list(let expected)): isSubtype(type, of: expected)
        case (.named(let type), .named(let expected)): isImplementation(type, of: expected)
        default: false
        }
    }

    /// True where a type declares that it implements the interface `abstract`, or is a member of the union `abstract`.
    func isImplementation(_ type: TypeIndex, of abstract: TypeIndex) -> Bool {
        switch self[type] {
        case .object(let object): object.interfaces.contains(abstract) || isUnionMember(type, of: abstract)
        case .interface(let interface): interface.interfaces.contains(abstract)
        default: false
        }
    }

    private func isUnionMember(_ type: TypeIndex, of abstract: TypeIndex) -> Bool {
        if case .union(let union) = self[abstract] { union.memberTypes.contains(type) } else { false }
    }
}
