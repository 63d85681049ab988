/// The size of the answer to an operation's introspection, computed before the answer is built.
public struct IntrospectionSize: Sendable, Equatable {
    /// Schemas, types, fields, arguments, input fields, enum values and directives in the answer, repeated ones
    /// included.
    public var objects = 0
    /// Bytes of JSON in the values of `__schema` and `__type`, without the response around them.
    public var bytes = 0
    /// True where the operation selects nothing but `__schema`, `__type` and `__typename` at its root.
    public var isWholeAnswer = false

    public init(objects: Int = 0, bytes: Int = 0) {
        self.objects = objects
        self.bytes = bytes
    }
}

/// Computes the size of a plan's introspection by a walk through the schema. The size of a selection on a named type is
/// computed once, so the walk is short however often the answer repeats the type.
struct IntrospectionMeasure: ~Copyable {
    fileprivate enum Entity {
        case schema(IntrospectedSchema)
        case type(IntrospectedType)
        case field(IntrospectedField)
        case input(IntrospectedInputValue)
        case enumValue(EnumValue)
        case directive(IntrospectedDirective)
    }

    private enum Value {
        /// A leaf, with the number of bytes of its JSON.
        case leaf(Int)
        case object(Entity?)
        case list([Entity]?)
    }

    private struct Place: Hashable {
        let draft: Int
        let type: TypeIndex
    }

    private let schema: Schema
    private let drafts: [PlanDraft]
    private var known: [Place: IntrospectionSize] = [:]
    private var scratch = JSONWriter(capacity: 1024)

    init(_ drafts: [PlanDraft], of schema: Schema) {
        self.drafts = drafts
        self.schema = schema
    }

    /// The size of the operation's introspection; nil if the operation has none.
    mutating func figures() -> IntrospectionSize? {
        var sum = IntrospectionSize()
        var isWhole = true
        var hasIntrospection = false
        for field in fields(of: 0) {
            let name = field.nodes[0].name.value
            guard name == "__schema" || name == "__type", let child = field.children.first?.draft else {
                if name != "__typename" { isWhole = false }
                continue
            }
            hasIntrospection = true
            if name == "__schema" {
                add(figures(of: .schema(IntrospectedSchema(schema: schema)), child), to: &sum)
            } else {
                add(figuresOfType(named: field, child), to: &sum)
            }
        }
        sum.isWholeAnswer = isWhole
        return hasIntrospection ? sum : nil
    }

    /// The size of `__type(name:)`. If a variable gives the name, each figure is the greatest that any type has.
    private mutating func figuresOfType(named field: DraftField, _ child: Int) -> IntrospectionSize {
        let argument = field.nodes[0].arguments.first { $0.name.value == "name" }?.value.kind
        if case .string(let name) = argument {
            guard let type = schema.typeIndex(named: name.value) else { return IntrospectionSize() }
            return figures(of: type, child)
        }
        var largest = IntrospectionSize()
        for index in schema.types.indices {
            let one = figures(of: TypeIndex(index), child)
            largest.objects = max(largest.objects, one.objects)
            largest.bytes = max(largest.bytes, one.bytes)
        }
        return largest
    }

    private mutating func figures(of type: TypeIndex, _ draft: Int) -> IntrospectionSize {
        figures(of: .type(IntrospectedSchema(schema: schema).type(type)), draft)
    }

    private mutating func figures(of entity: Entity, _ draft: Int) -> IntrospectionSize {
        var place: Place?
        if case .type(let type) = entity, case .named(let index) = type.reference {
            let named = Place(draft: draft, type: index)
            if let known = known[named] { return known }
            place = named
        }
        // One byte is the closing brace. Each field adds four bytes: two quotation marks, a colon and a comma. The
        // first field has the opening brace in place of the comma.
        var figures = IntrospectionSize(objects: 1, bytes: 1)
        for field in fields(of: draft) {
            figures.bytes += field.nodes[0].responseName.utf8.count + 4
            let child = field.children.first?.draft ?? 0
            switch value(of: field, entity) {
            case .leaf(let bytes): figures.bytes += bytes
            case .object(nil), .list(nil): figures.bytes += 4
            case .object(let entity?): add(self.figures(of: entity, child), to: &figures)
            case .list(let entities?):
                figures.bytes += 2 + max(0, entities.count - 1)
                for entity in entities { add(self.figures(of: entity, child), to: &figures) }
            }
        }
        if let place { known[place] = figures }
        return figures
    }

    /// Adds `more` to `figures`, each sum limited to `Int32.max`.
    private func add(_ more: IntrospectionSize, to figures: inout IntrospectionSize) {
        figures.objects = min(figures.objects + more.objects, Int(Int32.max))
        figures.bytes = min(figures.bytes + more.bytes, Int(Int32.max))
    }

    /// The fields of a draft, including its deferred fields.
    private func fields(of draft: Int) -> [DraftField] {
        drafts[draft].fields + drafts[draft].deferred.flatMap { drafts[$0.draft].fields }
    }

    // MARK: - The same values as in `IntrospectionBindings`

    private mutating func value(of field: DraftField, _ entity: Entity) -> Value {
        let name = field.nodes[0].name.value
        let includesDeprecated = field.includesDeprecated
        if name == "__typename" { return text(entity.typeName) }
        switch entity {
        case .schema(let schema): return value(name, schema)
        case .type(let type): return value(name, type, includesDeprecated)
        case .field(let field): return value(name, field, includesDeprecated)
        case .input(let value): return self.value(name, value)
        case .enumValue(let value):
            return description(name, value.name, value.description, value.deprecationReason)
        case .directive(let directive): return value(name, directive, includesDeprecated)
        }
    }

    private mutating func value(_ name: String, _ value: IntrospectedSchema) -> Value {
        switch name {
        case "description": text(value.schema.description)
        case "types": .list(value.schema.types.indices.map { .type(value.type(TypeIndex($0))) })
        case "queryType": .object(value.rootType(for: .query).map(Entity.type))
        case "mutationType": .object(value.rootType(for: .mutation).map(Entity.type))
        case "subscriptionType": .object(value.rootType(for: .subscription).map(Entity.type))
        default:
            .list(
                value.schema.directives.map {
                    .directive(IntrospectedDirective(schema: value.schema, directive: $0))
                })
        }
    }

    private mutating func value(_ name: String, _ type: IntrospectedType, _ includesDeprecated: Bool) -> Value {
        switch name {
        case "kind": text(type.kind.rawValue)
        case "name": text(type.named?.name)
        case "description": text(type.named?.description)
        case "specifiedByURL": text(type.specifiedByURL)
        case "fields": .list(type.fields(includeDeprecated: includesDeprecated)?.map(Entity.field))
        case "interfaces": .list(type.interfaces?.map(Entity.type))
        case "possibleTypes": .list(type.possibleTypes?.map(Entity.type))
        case "enumValues": .list(type.enumValues(includeDeprecated: includesDeprecated)?.map { .enumValue($0.value) })
        case "inputFields": .list(type.inputFields(includeDeprecated: includesDeprecated)?.map(Entity.input))
        case "ofType": .object(type.ofType.map(Entity.type))
        default: boolean(type.isOneOf)
        }
    }

    private mutating func value(_ name: String, _ field: IntrospectedField, _ includesDeprecated: Bool) -> Value {
        switch name {
        case "args": inputs(field.field.arguments, includesDeprecated)
        case "type": .object(.type(field.type))
        default: description(name, field.field.name, field.field.description, field.field.deprecationReason)
        }
    }

    private mutating func value(_ name: String, _ value: IntrospectedInputValue) -> Value {
        switch name {
        case "type": .object(.type(value.type))
        case "defaultValue": text(value.input.defaultLiteral?.printed)
        default: description(name, value.input.name, value.input.description, value.input.deprecationReason)
        }
    }

    private mutating func value(
        _ name: String, _ directive: IntrospectedDirective, _ includesDeprecated: Bool
    ) -> Value {
        switch name {
        case "name": return text(directive.directive.name)
        case "description": return text(directive.directive.description)
        case "isRepeatable": return boolean(directive.directive.isRepeatable)
        case "args": return inputs(directive.directive.arguments, includesDeprecated)
        default:
            let locations = directive.directive.locations
            return .leaf(locations.reduce(1 + max(1, locations.count)) { $0 + $1.rawValue.utf8.count + 2 })
        }
    }

    private mutating func description(
        _ field: String, _ name: String, _ description: String?, _ deprecationReason: String?
    ) -> Value {
        switch field {
        case "name": text(name)
        case "description": text(description)
        case "isDeprecated": boolean(deprecationReason != nil)
        default: text(deprecationReason)
        }
    }

    private func inputs(_ inputs: [InputValueType], _ includesDeprecated: Bool) -> Value {
        .list(inputs.introspected(of: schema, includeDeprecated: includesDeprecated).map(Entity.input))
    }

    private func boolean(_ value: Bool?) -> Value { .leaf(value == false ? 5 : 4) }

    private mutating func text(_ text: String?) -> Value {
        guard let text else { return .leaf(4) }
        scratch.removeAll()
        scratch.write(text)
        return .leaf(scratch.count)
    }
}

extension IntrospectionMeasure.Entity {
    fileprivate var typeName: String {
        switch self {
        case .schema: "__Schema"
        case .type: "__Type"
        case .field: "__Field"
        case .input: "__InputValue"
        case .enumValue: "__EnumValue"
        case .directive: "__Directive"
        }
    }
}

extension DraftField {
    /// The argument `includeDeprecated`. True if a variable gives its value, since that value may be true.
    fileprivate var includesDeprecated: Bool {
        switch nodes[0].arguments.first(where: { $0.name.value == "includeDeprecated" })?.value.kind {
        case .boolean(let value): value
        case .variable: true
        default: false
        }
    }
}
