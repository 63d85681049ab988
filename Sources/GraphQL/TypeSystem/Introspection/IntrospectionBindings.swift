/// The bindings of the introspection types and fields, which the engine adds to those of the schema's implementation.
/// Spec: 4.2 Schema Introspection
struct IntrospectionBindings<Context: ExecutionContext>: Sendable {
    /// The bindings of `__Schema`, `__Type` and the other types.
    let types: [any TypeBinding<Context>]
    /// The fields `__schema` and `__type`.
    let rootFields: [BoundRootField]

    /// - Parameters:
    ///   - schema: the schema that `__schema` and `__type` describe.
    ///   - host: the schema whose query type has these fields; the same schema, except in `introspect`.
    init(of schema: Schema, in host: Schema) {
        types = [
            schemaBinding(), typeBinding(), fieldBinding(), inputValueBinding(), enumValueBinding(), directiveBinding(),
        ]
        let schemaField = host.schemaField.map { field in
            BoundRootField(field) { (_: FieldContext<Context>) in IntrospectedSchema(schema: schema) }
        }
        let typeField = host.typeField.map { field in
            BoundRootField(field) { (context: FieldContext<Context>) -> IntrospectedType? in
                guard case .string(let name) = context.arguments["name"] else { return nil }
                return schema.typeIndex(named: name).map { IntrospectedSchema(schema: schema).type($0) }
            }
        }
        rootFields = [schemaField, typeField].compactMap(\.self)
    }
}

extension FieldContext {
    fileprivate var includesDeprecated: Bool { arguments["includeDeprecated"] == .boolean(true) }
}

private func schemaBinding<Context>() -> ObjectBinding<IntrospectedSchema, Context> {
    ObjectBinding("__Schema") { schema in
        schema.field("description", \.schema.description)
        schema.field("types") { value in value.schema.types.indices.map { value.type(TypeIndex($0)) } }
        schema.field("queryType") { value in
            // Only a schema that was assumed to be valid may lack a query type.
            guard let type = value.rootType(for: .query) else {
                throw ExecutionError("Query root type must be provided.", code: .internalServerError)
            }
            return type
        }
        schema.field("mutationType") { $0.rootType(for: .mutation) }
        schema.field("subscriptionType") { $0.rootType(for: .subscription) }
        schema.field("directives") { value in
            value.schema.directives.map { IntrospectedDirective(schema: value.schema, directive: $0) }
        }
    }
}

private func typeBinding<Context>() -> ObjectBinding<IntrospectedType, Context> {
    ObjectBinding("__Type") { type in
        type.field("kind", \.kind)
        type.field("name") { $0.named?.name }
        type.field("description") { $0.named?.description }
        type.field("specifiedByURL", \.specifiedByURL)
        type.field("fields") { $0.fields(includeDeprecated: $1.includesDeprecated) }
        type.field("interfaces", \.interfaces)
        type.field("possibleTypes", \.possibleTypes)
        type.field("enumValues") { $0.enumValues(includeDeprecated: $1.includesDeprecated) }
        type.field("inputFields") { $0.inputFields(includeDeprecated: $1.includesDeprecated) }
        type.field("ofType", \.ofType)
        type.field("isOneOf", \.isOneOf)
    }
}

private func fieldBinding<Context>() -> ObjectBinding<IntrospectedField, Context> {
    ObjectBinding("__Field") { field in
        field.field("name", \.field.name)
        field.field("description", \.field.description)
        field.field("args") {
            $0.field.arguments.introspected(of: $0.schema, includeDeprecated: $1.includesDeprecated)
        }
        field.field("type", \.type)
        field.field("isDeprecated") { $0.field.deprecationReason != nil }
        field.field("deprecationReason", \.field.deprecationReason)
    }
}

private func inputValueBinding<Context>() -> ObjectBinding<IntrospectedInputValue, Context> {
    ObjectBinding("__InputValue") { value in
        value.field("name", \.input.name)
        value.field("description", \.input.description)
        value.field("type", \.type)
        value.field("defaultValue") { $0.input.defaultLiteral?.printed }
        value.field("isDeprecated") { $0.input.deprecationReason != nil }
        value.field("deprecationReason", \.input.deprecationReason)
    }
}

private func enumValueBinding<Context>() -> ObjectBinding<IntrospectedEnumValue, Context> {
    ObjectBinding("__EnumValue") { value in
        value.field("name", \.value.name)
        value.field("description", \.value.description)
        value.field("isDeprecated") { $0.value.deprecationReason != nil }
        value.field("deprecationReason", \.value.deprecationReason)
    }
}

private func directiveBinding<Context>() -> ObjectBinding<IntrospectedDirective, Context> {
    ObjectBinding("__Directive") { directive in
        directive.field("name", \.directive.name)
        directive.field("description", \.directive.description)
        directive.field("isRepeatable", \.directive.isRepeatable)
        directive.field("locations", \.directive.locations)
        directive.field("args") {
            $0.directive.arguments.introspected(of: $0.schema, includeDeprecated: $1.includesDeprecated)
        }
    }
}
