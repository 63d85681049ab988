/// What a resolver gets besides its parents: the request's context, or the part of it that is the same for everybody, and
/// the field's coerced arguments. One is made for each field and request, not for each value.
@dynamicMemberLookup
public final class FieldContext<Context: Sendable>: Sendable {
    public let context: Context
    /// Spec: 6.4.1 Coercing Field Arguments
    public let arguments: InputObject

    public init(context: Context, arguments: InputObject = InputObject()) {
        self.context = context
        self.arguments = arguments
    }

    @inlinable
    public subscript<Member>(dynamicMember keyPath: KeyPath<Context, Member>) -> Member { context[keyPath: keyPath] }
}

/// A `FieldContext` whose type only the resolver knows that it is handed to.
public typealias AnyFieldContext = any AnyObject & Sendable
