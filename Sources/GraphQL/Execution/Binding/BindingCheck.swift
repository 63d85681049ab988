/// Compares bindings with the schema and collects every mismatch.
struct BindingCheck {
    let schema: Schema
    private var bindings: [ErasedBinding?]
    private var rootFields: [BoundRootField] = []
    private var mismatches: [String] = []

    init(schema: Schema) {
        self.schema = schema
        bindings = Array(repeating: nil, count: schema.types.count)
    }

    mutating func add(_ binding: ErasedBinding) {
        guard let index = schema.typeIndex(named: binding.name) else {
            mismatches.append("\(binding.name) is bound, but not a type of the schema")
            return
        }
        switch (schema[index], binding.kind) {
        case (.object, .object), (.interface, .interface), (.union, .union):
            if bindings[index.rawValue] != nil { mismatches.append("\(binding.name) is bound twice") }
            bindings[index.rawValue] = binding
        default:
            mismatches.append("\(binding.name) is bound as another kind of type than it is in the schema")
        }
    }

    mutating func addRootField(_ field: BoundRootField) { rootFields.append(field) }

    consuming func finish() throws(BindingError) -> BoundSchema {
        checkRootTypes()
        var resolvers: [[String: FieldResolver]] = []
        var members: [[BoundMember]] = []
        for index in schema.types.indices.map(TypeIndex.init) {
            switch (schema[index], bindings[index.rawValue]?.kind) {
            case (.object(let type), .object(let fields)):
                resolvers.append(checkFields(fields, of: type, isSubscription: index == schema.subscriptionType))
                members.append([])
            case (.object(let type), _):
                // The engine binds introspection types itself, where the schema has them.
                if !type.name.hasPrefix("__") { mismatches.append("\(type.name) has no binding") }
                resolvers.append([:])
                members.append([])
            case (let type, .interface(let bound)), (let type, .union(let bound)):
                resolvers.append([:])
                members.append(checkMembers(bound, of: index, named: type.name))
            default:
                resolvers.append([:])
                members.append([])
            }
        }
        guard mismatches.isEmpty else { throw BindingError(mismatches: mismatches) }
        return BoundSchema(
            schema: schema, resolvers: resolvers, sharedTypes: bindings.map { $0?.isShared ?? false },
            members: members, rootFields: rootFields)
    }

    private mutating func checkRootTypes() {
        for operation in OperationType.allCases {
            guard let type = schema.rootType(for: operation), let binding = bindings[type.rawValue] else { continue }
            if binding.swiftType != SwiftType(Root.self) {
                mismatches.append("\(binding.name) is a root type: bind it to Root, not \(binding.swiftType)")
            }
        }
    }

    private mutating func checkFields(
        _ fields: [FieldResolver], of type: ObjectType, isSubscription: Bool
    ) -> [String: FieldResolver] {
        var resolvers: [String: FieldResolver] = [:]
        for field in fields {
            let place = "\(type.name).\(field.name)"
            guard let definition = type.fieldsByName[field.name].map({ type.fields[$0] }) else {
                mismatches.append("\(place) has a resolver, but is not in the schema")
                continue
            }
            if resolvers.updateValue(field, forKey: field.name) != nil {
                mismatches.append("\(place) has two resolvers")
            }
            if case .stream = field.resolution {
                if !isSubscription { mismatches.append("\(place) is a stream outside the subscription type") }
            } else if isSubscription {
                mismatches.append("\(place) belongs to the subscription type and is no stream")
            }
            if let reason = mismatch(of: field.shape, with: definition.type) {
                mismatches.append("\(place): \(schema.notation(of: definition.type)) \(reason)")
            }
        }
        for definition in type.fields where resolvers[definition.name] == nil {
            mismatches.append("\(type.name).\(definition.name) has no resolver")
        }
        return resolvers
    }

    private mutating func checkMembers(
        _ members: [AbstractMember], of abstract: TypeIndex, named name: String
    ) -> [BoundMember] {
        var bound: [BoundMember] = []
        for member in members {
            guard let type = schema.typeIndex(named: member.name), schema.isPossible(type, for: abstract) else {
                mismatches.append("\(name) has the member \(member.name), which is none of its possible types")
                continue
            }
            if let binding = bindings[type.rawValue], binding.swiftType != member.swiftType {
                mismatches.append(
                    "\(name): member \(member.name) gives \(member.swiftType), but is bound to \(binding.swiftType)")
            }
            if bound.contains(where: { $0.type == type }) {
                mismatches.append("\(name) has the member \(member.name) twice")
            }
            bound.append(BoundMember(type: type, extract: member.extract))
        }
        for type in schema.possibleTypes[abstract.rawValue] where !bound.contains(where: { $0.type == type }) {
            mismatches.append("\(name) has no member \(schema[type].name)")
        }
        return bound
    }

    /// The reason why a Swift type cannot represent the schema's type; nil where it can.
    private func mismatch(of shape: OutputShape, with type: TypeReference) -> String? {
        switch (type, shape) {
        case (_, .personal(let shape)):
            return mismatch(of: shape, with: type)
        case (.nonNull, .optional):
            return "is not nullable, its Swift value is optional"
        case (.nonNull(let type), _):
            return mismatch(of: shape, with: type)
        case (_, .optional(.optional)), (_, .optional(.personal(.optional))):
            return "is bound to an optional of an optional"
        case (_, .optional(let shape)):
            return mismatch(of: shape, with: type)
        case (.list(let item), .list(let shape)):
            return mismatch(of: shape, with: item)
        case (.list, _):
            return "is a list, its Swift value is not"
        case (_, .list):
            return "is not a list, its Swift value is"
        case (.named(let index), .leaf(let leaf)):
            return leaf.canRepresent(schema[index]) ? nil : "cannot be represented by \(leaf.type)"
        case (.named(let index), .object(let swiftType)):
            guard case .object = schema[index] else { return "is not an object type, \(swiftType) stands for one" }
            return mismatch(of: swiftType, with: index)
        case (.named(let index), .abstract(let swiftType)):
            guard schema[index].isAbstract else { return "is not an abstract type, \(swiftType) stands for one" }
            return mismatch(of: swiftType, with: index)
        }
    }

    private func mismatch(of swiftType: SwiftType, with index: TypeIndex) -> String? {
        guard let binding = bindings[index.rawValue] else {
            // An object type without a binding is reported once, for the type.
            return schema[index].isAbstract ? "has no binding for \(schema[index].name)" : nil
        }
        if binding.swiftType == swiftType { return nil }
        return "is bound to \(swiftType), but \(binding.name) to \(binding.swiftType)"
    }
}
