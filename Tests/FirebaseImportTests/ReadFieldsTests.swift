import GraphQL
import Testing

@testable import FirebaseImport

@Suite struct ReadFieldsTests {
    /// The parts of a document that the rules do not read.
    private func unread(_ rules: String, _ json: String) throws -> [String] {
        let mapping = try MappingParser(name: "m.yaml").parse("paths:\n  - path: posts/{post}\n" + rules)
        var document = FirebaseDocument(path: ["posts", "a"])
        guard case .object(let object) = try parseJSON(Array(json.utf8)) else { throw ImportFailure("not an object") }
        for field in object.fields { document.add(.init(text: field.name), .value(field.value)) }
        return ReadFields.unread(in: document, by: mapping.rules.map(\.read))
    }

    @Test func fieldsOfFields() throws {
        #expect(
            try unread(
                "    comment: {author: author.id, text: body.text, createdAt: at}",
                #"{"author": {"id": "u", "name": "x"}, "body": "text", "at": 1, "more": 2}"#)
                == ["author.name", "body", "more"])
    }

    @Test func theWholeDocument() throws {
        #expect(try unread("    likes: {person: .}", #"{"a": 1, "b": {"c": 2}}"#) == [])
    }

    @Test func elementsOfAList() throws {
        #expect(
            try unread(
                "    comment: {each: comments, author: by, text: text, createdAt: at.time}",
                #"""
                {"text": "of the post", "by": "u",
                "comments": [{"by": "u", "text": "x", "at": {"time": 1, "zone": "CET"}, "mood": "glad"}, 7]}
                """#) == ["text", "by", "comments.{}.at.zone", "comments.{}.mood"])
    }

    @Test func namesOfMembers() throws {
        let likes = "    likes: {each: likes, person: \"{item}\"}"
        #expect(try unread(likes, #"{"likes": {"u": true, "v": false}}"#) == [])
        #expect(try unread(likes, #"{"likes": ["u", "v"]}"#) == [])
        #expect(try unread(likes, #"{"likes": {"u": {"at": 1}}}"#) == ["likes.{}.at"])
        #expect(try unread("    ratings: {each: stars, person: \"{item}\", stars: .}", #"{"stars": {"u": [5]}}"#) == [])
    }

    @Test func membersOfTheDocument() throws {
        let rule = "    likes: {each: ., person: \"{item}\", createdAt: at}"
        #expect(try unread(rule, #"{"u": {"at": 1, "by": "phone"}, "v": true}"#) == ["{}.by"])
    }

    @Test func severalRulesOfOnePath() throws {
        let rules = """
                comment: {author: a, text: b.text, createdAt: d}
                likes: {each: b.likes, person: id}
            """
        #expect(
            try unread(
                rules,
                #"{"a": "u", "b": {"text": "x", "likes": [{"id": "u", "at": 1}], "c": 1}, "d": 1, "id": 2, "gone": null}"#
            )
                == ["b.likes.{}.at", "b.c", "id", "gone"])
    }

    @Test func constantsReadNothing() throws {
        #expect(try unread("    rsvps: {person: \"{post}\", status: =GOING}", #"{"GOING": 1}"#) == ["GOING"])
    }
}
