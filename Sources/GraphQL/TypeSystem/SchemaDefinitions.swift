/// The definitions of a type-system document by name, with each extension merged into what it extends.
/// Spec: 3.4.3 Type Extensions, 3.3.2 Schema Extension
struct SchemaDefinitions {
    let source: Source
    private(set) var schema: SchemaDefinition?
    /// The place of the schema definition; nil where the document has none.
    private(set) var schemaLocation: Location?
    private(set) var types: [TypeDefinition] = []
    private(set) var directives: [DirectiveDefinition] = []
    private var typeIndices: [String: Int] = [:]
    private var directiveIndices: [String: Int] = [:]
    /// By position in `types`, the places of the definition and of its extensions.
    private var typeLocations: [[Location]] = []

    init(_ document: Document) {
        source = document.source
        for definition in document.definitions {
            switch definition {
            case .schema(let definition):
                schemaLocation = schemaLocation ?? definition.location
                add(definition)
            case .type(let definition) where typeIndices[definition.name.value] == nil:
                typeIndices[definition.name.value] = types.count
                types.append(definition)
                typeLocations.append([definition.location])
            case .directive(let definition) where directiveIndices[definition.name.value] == nil:
                directiveIndices[definition.name.value] = directives.count
                directives.append(definition)
            case .type, .directive, .schemaExtension, .typeExtension, .operation, .fragment: break
            }
        }
        for definition in document.definitions {
            switch definition {
            case .schemaExtension(let definition): add(definition)
            case .typeExtension(let definition): extend(by: definition)
            case .schema, .type, .directive, .operation, .fragment: break
            }
        }
    }

    private mutating func add(_ definition: SchemaDefinition) {
        guard var merged = schema else {
            schema = definition
            return
        }
        merged.directives += definition.directives
        merged.operationTypes += definition.operationTypes
        schema = merged
    }

    private mutating func extend(by definition: TypeDefinition) {
        guard let index = typeIndices[definition.name.value] else { return }
        typeLocations[index].append(definition.location)
        types[index].directives += definition.directives
        types[index].interfaces += definition.interfaces
        types[index].fields += definition.fields
        types[index].memberTypes += definition.memberTypes
        types[index].values += definition.values
        types[index].inputFields += definition.inputFields
    }

    func type(named name: String) -> TypeDefinition? { typeIndices[name].map { types[$0] } }

    func directive(named name: String) -> DirectiveDefinition? { directiveIndices[name].map { directives[$0] } }

    /// The places of a type's definition and of its extensions.
    func locations(ofType name: String) -> [Location] { typeIndices[name].map { typeLocations[$0] } ?? [] }
}
