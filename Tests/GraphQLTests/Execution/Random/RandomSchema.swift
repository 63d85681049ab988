import TestSupport

@testable import GraphQL

/// A random type system over objects that are made of numbers, with random values: nulls, errors, lists and all.
struct RandomSchema {
    enum Resolver: CaseIterable { case field, load, batch }

    struct Field {
        let name: String
        let type: String
        let base: Base
        let wrapping: Wrapping
        let resolver: Resolver
    }

    enum Base { case leaf, object(Int), interface, union }

    /// The type with its base as `T`.
    enum Wrapping: String, CaseIterable {
        case nullable = "T", nonNull = "T!", list = "[T]", listOfNonNull = "[T!]", nonNullList = "[T]!"
        case nonNullListOfNonNull = "[T!]!", nested = "[[T]!]", nestedOfNonNull = "[[T!]]!"
        case nonNullNested = "[[T!]!]!"
    }

    static let objectCount = 4
    /// The objects that implement the interface.
    static let implementors = 0..<3

    let fields: [[Field]]

    init(using generator: inout SeededGenerator) {
        let common = (0..<2).map { RandomSchema.field("common\($0)", using: &generator) }
        fields = (0..<Self.objectCount).map { object in
            let own = (0..<4).map { RandomSchema.field("own\($0)", using: &generator) }
            return (Self.implementors.contains(object) ? common : []) + own
        }
    }

    private static func field(_ name: String, using generator: inout SeededGenerator) -> Field {
        let bases: [(Base, String)] = [
            (.leaf, "Int"), (.leaf, "Int"), (.object(Int.random(in: 0..<objectCount, using: &generator)), "O"),
            (.interface, "I"), (.union, "U"),
        ]
        var (base, baseName) = bases.randomElement(using: &generator) ?? (.leaf, "Int")
        if case .object(let object) = base { baseName = "O\(object)" }
        if case .leaf = base { baseName = "Int" }
        let wrapping = Wrapping.allCases.randomElement(using: &generator) ?? .nullable
        return Field(
            name: name,
            type: wrapping.rawValue.split(separator: "T", omittingEmptySubsequences: false).joined(separator: baseName),
            base: base, wrapping: wrapping, resolver: Resolver.allCases.randomElement(using: &generator) ?? .field)
    }

    var sdl: String {
        func members(_ fields: [Field]) -> String { fields.map { "\($0.name): \($0.type)" }.joined(separator: " ") }
        let objects = fields.indices.map { object in
            let implements = Self.implementors.contains(object) ? " implements I" : ""
            return "type O\(object)\(implements) { \(members(fields[object])) }"
        }
        return """
            type Query { start: O0  again: [O1!]! }
            interface I { \(members(Array(fields[0].prefix(2)))) }
            union U = O0 | O1 | O2 | O3
            \(objects.joined(separator: "\n"))
            """
    }

    func executable() throws -> ExecutableSchema<TestContext> {
        var bindings: [any TypeBinding<TestContext>] = [
            ObjectBinding<Root, TestContext>("Query") { query in
                query.field("start") { _ throws -> RandomObject? in
                    try Optional<RandomObject>.from(RandomValue.start)
                }
                query.batch("again") { _, _ in [try [Result<RandomObject, any Error>].from(RandomValue.again)] }
            },
            InterfaceBinding<RandomAbstract, TestContext>("I") { interface in
                for type in Self.implementors {
                    interface.member("O\(type)") { $0.object.type == type ? $0.object : nil }
                }
            },
            UnionBinding<RandomAbstract, TestContext>("U") { union in
                for type in 0..<Self.objectCount {
                    union.member("O\(type)") { $0.object.type == type ? $0.object : nil }
                }
            },
        ]
        for (object, fields) in fields.enumerated() {
            bindings.append(
                ObjectBinding<RandomObject, TestContext>("O\(object)") { type in
                    for field in fields { field.bind(to: &type) }
                })
        }
        return try ExecutableSchema(schema: buildSchema(parse(Source(sdl))), bindings: bindings)
    }
}

struct RandomObject: ObjectValue {
    let type: Int
    let seed: UInt64

    func value(of field: RandomSchema.Field) -> RandomValue {
        var generator = SeededGenerator(seed: seed ^ field.name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        return RandomValue(field.wrapping.rawValue[...], field.base, using: &generator)
    }
}

struct RandomAbstract: AbstractValue { let object: RandomObject }

/// What a field gives, before it becomes a Swift type.
indirect enum RandomValue {
    case null, failure
    case leaf(Int)
    case object(RandomObject)
    case list([RandomValue])

    static let start = RandomValue.object(RandomObject(type: 0, seed: 1))
    static let again = RandomValue.list([
        .object(RandomObject(type: 1, seed: 2)), .object(RandomObject(type: 1, seed: 3)),
    ])

    init(_ type: Substring, _ base: RandomSchema.Base, using generator: inout SeededGenerator) {
        let dice = Int.random(in: 0..<20, using: &generator)
        let isNonNull = type.last == "!"
        let type = isNonNull ? type.dropLast() : type
        if dice == 0 {
            self = .failure
        } else if dice < 4, !isNonNull {
            self = .null
        } else if type.first == "[" {
            let items = Int.random(in: 0..<3, using: &generator)
            self = .list((0..<items).map { _ in RandomValue(type.dropFirst().dropLast(), base, using: &generator) })
        } else {
            switch base {
            case .leaf: self = .leaf(dice == 19 ? Int.max : dice)
            case .object(let type): self = .object(RandomObject(type: type, seed: generator.next()))
            case .interface:
                let type = Int.random(in: RandomSchema.implementors, using: &generator)
                self = .object(RandomObject(type: type, seed: generator.next()))
            case .union:
                let type = Int.random(in: 0..<RandomSchema.objectCount, using: &generator)
                self = .object(RandomObject(type: type, seed: generator.next()))
            }
        }
    }
}
