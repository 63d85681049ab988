/// The input of a resolver besides its parents: the request's context, or the part of it that is the same for
/// everybody, and the field's coerced arguments. One field context serves all values of a field, except that each
/// execution group of incremental delivery makes its own.
@dynamicMemberLookup
public final class FieldContext<Context: Sendable>: Sendable {
    public let context: Context
    /// The field's arguments by name, defaults included.
    /// Spec: 6.4.1 Coercing Field Arguments
    public let arguments: InputObject

    /// Creates a field context, as the engine does. Tests of resolvers may call it, too.
    public init(context: Context, arguments: InputObject = InputObject()) {
        self.context = context
        self.arguments = arguments
    }

    /// A property of the request's context: `context.viewer` is `context.context.viewer`.
    @inlinable
    public subscript<Member>(dynamicMember keyPath: KeyPath<Context, Member>) -> Member { context[keyPath: keyPath] }
}

/// A ``FieldContext`` whose type is erased. The resolver that receives it knows the type.
public typealias AnyFieldContext = any AnyObject & Sendable
