/// Checks the types of a schema and their relations, beyond what ``validateSDL(_:extending:)`` finds in a document.
///
/// - Parameters:
///   - schema: the schema.
///   - document: the document that the schema was built from, for the places of errors.
/// - Returns: the mistakes; none for a valid schema.
/// Spec: 3 Type System, "Type Validation" of each kind of type
public func validateSchema(_ schema: Schema, definedBy document: Document? = nil) -> [GraphQLError] {
    validateSchema(schema, definitions: document.map(SchemaDefinitions.init))
}

func validateSchema(_ schema: Schema, definitions: SchemaDefinitions?) -> [GraphQLError] {
    var validation = SchemaValidation(schema: schema, definitions: definitions)
    validation.checkRootTypes()
    validation.checkDirectives()
    for (index, type) in schema.types.enumerated() where !BuiltInDefinitions.isTypeName(type.name) {
        validation.check(type, TypeIndex(index))
    }
    validation.checkBuiltInTypes()
    validation.checkInputObjectCycles()
    validation.checkConstants()
    return validation.errors
}

/// A validation of a schema: the schema, the definitions that it was built from, and the mistakes found so far.
struct SchemaValidation {
    let schema: Schema
    let definitions: SchemaDefinitions?
    private(set) var errors: [GraphQLError] = []

    init(schema: Schema, definitions: SchemaDefinitions?) {
        self.schema = schema
        self.definitions = definitions
    }

    /// Reports a mistake. An unknown location is nil and is left out.
    mutating func report(_ message: String, at locations: [Location?]) {
        let known = locations.compactMap(\.self)
        let places = definitions.map { definitions in known.map(definitions.source.location(of:)) }
        errors.append(GraphQLError(message, locations: places ?? []))
    }

    mutating func check(_ type: NamedType, _ index: TypeIndex) {
        checkName(type.name, at: definitions?.type(named: type.name)?.location)
        switch type {
        case .scalar: break
        case .object(let object):
            checkFields(object.fields, of: type)
            checkInterfaces(object.interfaces, of: type, index)
        case .interface(let interface):
            checkFields(interface.fields, of: type)
            checkInterfaces(interface.interfaces, of: type, index)
        case .union(let union): checkMembers(of: union)
        case .enumeration(let enumeration): checkValues(of: enumeration)
        case .inputObject(let inputObject): checkFields(of: inputObject)
        }
    }

    /// Spec: 2.1.8 Names, "Reserved Names"
    mutating func checkName(_ name: String, at location: Location?) {
        if name.hasPrefix("__") {
            report(
                "Name \"\(name)\" must not begin with \"__\", which is reserved by GraphQL introspection.",
                at: [location])
        }
    }

    /// A document may define a built-in scalar again, but not as another kind of type. It may not define a type of
    /// introspection, whose name is reserved.
    /// Spec: 3.5 Scalars
    mutating func checkBuiltInTypes() {
        for type in definitions?.types ?? [] {
            let name = type.name.value
            if BuiltInDefinitions.introspectionTypeNames.contains(name) {
                checkName(name, at: type.location)
            } else if BuiltInDefinitions.scalars[name] != nil, type.kind != .scalar {
                report("Type \"\(name)\" is a built-in scalar. It cannot be another kind of type.", at: [type.location])
            }
        }
    }
}
