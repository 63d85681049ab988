import GraphQL
import Testing

@Suite struct InputDecodableTests {
    private struct Edit: InputObjectDecodable, Equatable {
        let id: String
        let title: Patch<String>
        let tags: [String]?
        let category: Category?
        let rating: Double

        init(input: InputObject) throws {
            id = try input.decode("id")
            title = try input.decode("title")
            tags = try input.decode("tags")
            category = try input.decode("category")
            rating = try input.decode("rating")
        }
    }

    private func arguments(_ fields: [(name: String, value: InputValue)]) -> InputObject {
        InputObject([(name: "input", value: .object(InputObject(fields)))])
    }

    @Test func decodesInputObjects() throws {
        let edit = try arguments([
            ("id", .string("t1")), ("title", .string("New")), ("tags", .list([.string("a"), .string("b")])),
            ("category", .enumeration("FUNNY")), ("rating", .int(4)),
        ]).decode(Edit.self, "input")
        #expect(edit.id == "t1")
        #expect(edit.title == .value("New"))
        #expect(edit.tags == ["a", "b"])
        #expect(edit.category == .funny)
        #expect(edit.rating == 4)
    }

    @Test func tellsAbsentFromNull() throws {
        let absent = try arguments([("id", .string("t1")), ("rating", .float(0.5))]).decode(Edit.self, "input")
        #expect(absent.title == .absent)
        #expect(absent.tags == nil)
        let null = try arguments([("id", .string("t1")), ("rating", .float(0.5)), ("title", .null)])
            .decode(Edit.self, "input")
        #expect(null.title == .null)
        #expect(absent.title.applied(to: "old") == "old")
        #expect(null.title.applied(to: "old") == nil)
        #expect(Patch.value("new").applied(to: "old") == "new")
    }

    @Test func refusesWhatDoesNotFit() {
        #expect(throws: InputDecodingError.absent("input")) { try InputObject().decode(Edit.self, "input") }
        #expect(throws: InputDecodingError.absent("id")) { try arguments([]).decode(Edit.self, "input") }
        let wrong = InputObject([(name: "value", value: .string("1"))])
        #expect(throws: InputDecodingError.mismatch(expected: "Int")) { try wrong.decode(Int.self, "value") }
        #expect(throws: InputDecodingError.mismatch(expected: "Bool")) { try wrong.decode(Bool.self, "value") }
        #expect(throws: InputDecodingError.mismatch(expected: "Double")) { try wrong.decode(Double.self, "value") }
        #expect(throws: InputDecodingError.mismatch(expected: "Array<Int>")) { try wrong.decode([Int].self, "value") }
        #expect(throws: InputDecodingError.mismatch(expected: "Category")) { try wrong.decode(Category.self, "value") }
        #expect(throws: InputDecodingError.mismatch(expected: "Edit")) { try wrong.decode(Edit.self, "value") }
    }
}
