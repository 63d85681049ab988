/// A type of the schema, bound to Swift: an `ObjectBinding`, an `InterfaceBinding` or a `UnionBinding`.
public protocol TypeBinding<Context>: Sendable {
    associatedtype Context: ExecutionContext
    var erased: ErasedBinding { get }
}

/// A binding with its Swift types erased.
public struct ErasedBinding: Sendable {
    enum Kind: Sendable {
        case object([FieldResolver])
        case interface([AbstractMember])
        case union([AbstractMember])
    }

    let name: String
    let swiftType: SwiftType
    /// True where the type's values are `SharedObject`s.
    let isShared: Bool
    let kind: Kind

    init(name: String, swiftType: SwiftType, isShared: Bool = false, kind: Kind) {
        self.name = name
        self.swiftType = swiftType
        self.isShared = isShared
        self.kind = kind
    }
}

/// Binds an object type to the Swift type of its values.
///
///     ObjectBinding<Thought, RequestContext>("Thought") { thought in
///         thought.field("text", \.text)
///         thought.load("author", for: Everybody.self) { thoughts, context in
///             try context.users.load(thoughts.map(\.authorID))
///         }
///         thought.load("viewerHasLiked") { thoughts, context in
///             try context.likes(of: context.viewer, among: thoughts.map(\.id))
///         }
///     }
///
/// A field is shared if everybody who sees the object gets the same value, and personal otherwise. Swift's types decide
/// which of the two a field is. For a shared field the parent is a `SharedObject`, the closure takes no context or the
/// one for everybody, and the output is not `Personal`. `ExecutableSchema.sharedFields` lists the shared fields. An
/// event of a subscription is executed once for many subscribers only if they select no personal field.
public struct ObjectBinding<Parent: ObjectValue, Context: ExecutionContext>: TypeBinding {
    public let erased: ErasedBinding

    /// - Parameters:
    ///   - name: the object type's name in the schema.
    ///   - bind: binds each of the type's fields. It is called once.
    @inlinable
    public init(_ name: String, _ bind: (inout ObjectFields<Parent, Context>) -> Void) {
        var fields = ObjectFields<Parent, Context>()
        bind(&fields)
        self.init(name, fields)
    }

    @usableFromInline
    init(_ name: String, _ fields: ObjectFields<Parent, Context>) {
        erased = ErasedBinding(
            name: name, swiftType: SwiftType(Parent.self), isShared: Parent.self is any SharedObject.Type,
            kind: .object(fields.resolvers))
    }
}
