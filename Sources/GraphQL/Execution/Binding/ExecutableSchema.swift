/// A schema with a resolver for each of its fields. The initializer checks that the resolvers fit the fields.
public struct ExecutableSchema<Context: ExecutionContext>: Sendable {
    public let schema: Schema
    let bound: BoundSchema

    /// - Parameters:
    ///   - schema: a schema that ``buildSchema(_:scalars:assumeValid:)`` made.
    ///   - bindings: one for each object type, interface and union of the schema.
    /// - Throws: an error that lists every mismatch between the schema and the bindings.
    public init(schema: Schema, bindings: [any TypeBinding<Context>]) throws(BindingError) {
        try self.init(schema: schema, bindings: bindings, introspecting: schema)
    }

    /// - Parameter introspected: the schema that `__schema` and `__type` describe.
    init(
        schema: Schema, bindings: [any TypeBinding<Context>], introspecting introspected: Schema
    ) throws(BindingError) {
        let introspection = IntrospectionBindings<Context>(of: introspected, in: schema)
        var check = BindingCheck(schema: schema)
        for binding in bindings + introspection.types { check.add(binding.erased) }
        for field in introspection.rootFields { check.addRootField(field) }
        self.schema = schema
        bound = try check.finish()
    }

    /// The schema coordinates of the fields whose values are the same for everybody who sees the object, in the order
    /// of the schema. All other fields are personal.
    public var sharedFields: [String] {
        schema.types.indices.filter { bound.sharedTypes[$0] }.flatMap { index in
            let type = schema.types[index]
            return type.fields.filter { field in
                let isShared = bound.resolvers[index][field.name]?.isShared ?? false
                return isShared && bound.canBeShared(field.namedType)
            }.map { "\(type.name).\($0.name)" }
        }
    }
}

/// The bindings as the planner reads them: resolvers and members by type index.
final class BoundSchema: Sendable {
    let schema: Schema
    let resolvers: [[String: FieldResolver]]
    /// By type index: true where the type is bound to a `SharedObject`.
    let sharedTypes: [Bool]
    let members: [[BoundMember]]
    let rootFields: [BoundRootField]

    init(
        schema: Schema, resolvers: [[String: FieldResolver]], sharedTypes: [Bool], members: [[BoundMember]],
        rootFields: [BoundRootField]
    ) {
        self.schema = schema
        self.resolvers = resolvers
        self.sharedTypes = sharedTypes
        self.members = members
        self.rootFields = rootFields
    }

    /// True where values of the type can be the same for everybody. Of an abstract type one shared possible type
    /// suffices.
    func canBeShared(_ type: TypeIndex) -> Bool {
        if schema[type].isLeaf { return true }
        let types = schema[type].isAbstract ? schema.possibleTypes[type.rawValue] : [type]
        return types.contains { sharedTypes[$0.rawValue] }
    }

    /// A field's definition and resolver; nil where the object type has no such field.
    func field(named name: String, of type: TypeIndex) -> (definition: FieldType, resolver: FieldResolver)? {
        if let definition = schema[type].field(named: name), let resolver = resolvers[type.rawValue][name] {
            return (definition, resolver)
        }
        guard type == schema.queryType, let field = rootFields.first(where: { $0.definition.name == name }) else {
            return nil
        }
        return (field.definition, field.resolver)
    }
}

/// A possible type of an interface or union, and the function that extracts its objects from a column of abstract
/// values.
struct BoundMember: Sendable {
    let type: TypeIndex
    let extract: @Sendable (AnyColumn, inout AbstractSplit, _ member: Int32) -> (AnyColumn, count: Int)
}
