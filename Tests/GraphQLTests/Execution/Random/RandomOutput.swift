@testable import GraphQL

/// A Swift type that a random value becomes, so that every shape goes through the typed bindings.
protocol RandomOutput: FieldOutput {
    static func from(_ value: RandomValue) throws -> Self
}

struct UnexpectedShape: Error {}

extension Int: RandomOutput {
    static func from(_ value: RandomValue) throws -> Int {
        switch value {
        case .leaf(let leaf): return leaf
        case .failure: throw TestFailure()
        default: throw UnexpectedShape()
        }
    }
}

extension RandomObject: RandomOutput {
    static func from(_ value: RandomValue) throws -> RandomObject {
        switch value {
        case .object(let object): return object
        case .failure: throw TestFailure()
        default: throw UnexpectedShape()
        }
    }
}

extension RandomAbstract: RandomOutput {
    static func from(_ value: RandomValue) throws -> RandomAbstract {
        RandomAbstract(object: try RandomObject.from(value))
    }
}

extension Optional: RandomOutput where Wrapped: RandomOutput {
    static func from(_ value: RandomValue) throws -> Wrapped? {
        if case .null = value { nil } else { try Wrapped.from(value) }
    }
}

extension Array: RandomOutput where Element: RandomOutput {
    static func from(_ value: RandomValue) throws -> [Element] {
        switch value {
        case .list(let items): return try items.map { try Element.from($0) }
        case .failure: throw TestFailure()
        default: throw UnexpectedShape()
        }
    }
}

extension Result: RandomOutput where Success: RandomOutput, Failure == any Error {
    static func from(_ value: RandomValue) -> Self { Result { try Success.from(value) } }
}

/// A list whose items fail alone.
private typealias List<Item> = [Result<Item, any Error>]

extension RandomSchema.Field {
    func bind(to type: inout ObjectFields<RandomObject, TestContext>) {
        switch base {
        case .leaf: bind(Int.self, to: &type)
        case .object: bind(RandomObject.self, to: &type)
        case .interface, .union: bind(RandomAbstract.self, to: &type)
        }
    }

    private func bind<Item: RandomOutput>(_: Item.Type, to type: inout ObjectFields<RandomObject, TestContext>) {
        switch wrapping {
        case .nullable: resolve(Item?.self, in: &type)
        case .nonNull: resolve(Item.self, in: &type)
        case .list: resolve(List<Item?>?.self, in: &type)
        case .listOfNonNull: resolve(List<Item>?.self, in: &type)
        case .nonNullList: resolve(List<Item?>.self, in: &type)
        case .nonNullListOfNonNull: resolve(List<Item>.self, in: &type)
        case .nested: resolve(List<List<Item?>>?.self, in: &type)
        case .nestedOfNonNull: resolve(List<List<Item>?>.self, in: &type)
        case .nonNullNested: resolve(List<List<Item>>.self, in: &type)
        }
    }

    private func resolve<Output: RandomOutput>(
        _: Output.Type, in type: inout ObjectFields<RandomObject, TestContext>
    ) {
        let field = self
        switch resolver {
        case .field: type.field(name) { try Output.from($0.value(of: field)) }
        case .load:
            type.load(name) { objects, _ in
                Pending { objects.map { Result<Output, any Error>.from($0.value(of: field)) } }
            }
        case .batch:
            type.batch(name) { objects, _ in objects.map { Result<Output, any Error>.from($0.value(of: field)) } }
        }
    }
}
