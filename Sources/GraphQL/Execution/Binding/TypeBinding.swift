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
    let kind: Kind
}

/// Binds an object type to the Swift type of its values.
///
///     ObjectBinding<Thought, RequestContext>("Thought") { thought in
///         thought.field("text", \.text)
///         thought.load("author") { thoughts, context in
///             try context.users.load(thoughts.map(\.authorID))
///         }
///     }
public struct ObjectBinding<Parent: ObjectValue, Context: ExecutionContext>: TypeBinding {
    public let erased: ErasedBinding

    /// - Parameters:
    ///   - name: the object type's name in the schema.
    ///   - bind: binds each of its fields, called once.
    @inlinable
    public init(_ name: String, _ bind: (inout ObjectFields<Parent, Context>) -> Void) {
        var fields = ObjectFields<Parent, Context>()
        bind(&fields)
        self.init(name, fields)
    }

    @usableFromInline
    init(_ name: String, _ fields: ObjectFields<Parent, Context>) {
        erased = ErasedBinding(name: name, swiftType: SwiftType(Parent.self), kind: .object(fields.resolvers))
    }
}
