import ClientOperations
import Foundation
import Testing

@testable import TertuliaClient

@Suite struct OperationTests {
    /// Source: the TypeID specification's example
    @Test func idsAreTypeIDs() {
        let id = NewID.make(
            "prefix", milliseconds: 0x0189_0A5D_AC96, random: (0x74B, 0x3CCE_B302_099A_8057))
        #expect(id == "prefix_01h455vb4pex5vsknk084sn02q")
        #expect(NewID.make("a") != NewID.make("a"))
    }

    @Test func absentAndNullDiffer() {
        #expect(FeedQuery().variables.values == JSONObject())
        #expect(FeedQuery(after: .null).variables.values == JSONObject([("after", .null)]))
        #expect(FeedQuery(first: 20).variables.values == JSONObject([("first", .int(20))]))
    }

    @Test func defaultsAreSent() throws {
        let input = CreateThoughtInput(category: .funny, text: "Hello")
        let sent = try #require(CreateThoughtMutation(input: input).variables.values["input"]?.object)
        #expect(sent["status"] == .string("PUBLISHED"))
        #expect(sent["onConflict"] == .string("KEEP"))
        #expect(sent["title"] == nil)
    }

    @Test func defaultsOfNullableVariablesAreSent() {
        let sent = OrderedQuery().variables.values
        #expect(sent["withText"] == .boolean(true))
        #expect(sent["filter"] == .object(JSONObject([("categories", .list([.string("FUNNY")]))])))
        #expect(OrderedQuery(withText: false).variables.values["withText"] == .boolean(false))
        #expect(OrderedQuery(withText: .null).variables.values["withText"] == .null)
    }

    /// The fragment has no field of its own, and its object may be there by another selection.
    @Test(arguments: [
        (#"{}"#, nil), (#"{"text":"Hello"}"#, nil),
        (#"{"text":"Hello","author":{"__typename":"User","id":"user_1"}}"#, nil),
        (#"{"text":"Hello","author":{"__typename":"User","id":"user_1","username":"ana"}}"#, "ana"),
    ])
    func aConditionalFragmentIsReadWhereAllOfItIsThere(_ json: String, _ name: String?) throws {
        var node = try #require(try JSONValue(json: Array(json.utf8)).object)
        node.set("__typename", .string("Thought"))
        node.set("id", .string("thought_1"))
        node.set("likeCount", .int(2))
        let read = try OrderedQuery.Data.Thoughts.Nodes(ObjectReader(node))
        #expect(read.likeCount == 2)
        #expect(read.card?.words.author.username == name)
        #expect((read.card == nil) == (name == nil))
    }

    @Test func aOneOfInputHasOneField() {
        let query = MissedQuery(after: "c", scopes: [.nodeIds(["a"]), .mailbox(.messages)])
        #expect(
            query.variables.values["scopes"]
                == .list([
                    .object(JSONObject([("nodeIds", .list([.string("a")]))])),
                    .object(JSONObject([("mailbox", .string("MESSAGES"))])),
                ]))
    }

    @Test func anUnknownEnumValueIsKept() throws {
        #expect(ThoughtCategory(rawValue: "SAD") == .unknown("SAD"))
        #expect(ThoughtCategory.unknown("SAD").rawValue == "SAD")
        #expect(try ThoughtCategory(output: .string("FUNNY")) == .funny)
    }

    /// The order of arguments does not matter, and an absent one is not a null one.
    @Test func storageKeysAreCanonical() throws {
        func key(_ arguments: [(String, ArgumentValue)], _ variables: JSONObject = JSONObject()) throws -> String {
            guard case .field(let field) = Selection.field("feed", arguments: arguments) else {
                throw UnreadableResponse(expected: "a field")
            }
            return field.storageKey(variables)
        }
        #expect(try key([]) == "feed")
        #expect(try key([("b", .int(1)), ("a", .variable("x"))]) == #"feed({"b":1})"#)
        #expect(
            try key([("b", .int(1)), ("a", .variable("x"))], JSONObject([("x", .null)])) == #"feed({"a":null,"b":1})"#)
        #expect(
            try key([("a", .object([("z", .boolean(true)), ("y", .string("s"))]))])
                == #"feed({"a":{"y":"s","z":true}})"#)
    }

    @Test func datesHaveMilliseconds() throws {
        let date = try Date(output: .string("2026-11-20T21:15:00.250Z"))
        #expect(abs(date.timeIntervalSince1970 - 1_795_209_300.25) < 0.001)
        var encoder = InputEncoder()
        #expect(date.encode(&encoder) == .string("2026-11-20T21:15:00.250Z"))
        #expect(try Date(output: .string("2026-11-20T21:15:00Z")).timeIntervalSince1970 == 1_795_209_300)
        #expect(throws: UnreadableResponse.self) { try Date(output: .string("yesterday")) }
    }

    @Test func mistakesInAnAnswerHaveTheirPlace() {
        let error = #expect(throws: UnreadableResponse.self) {
            try OneThoughtQuery.Data(
                ObjectReader(
                    JSONObject([("thought", .object(JSONObject([("text", .int(7)), ("likeCount", .string("x"))])))])))
        }
        #expect(error?.path == ["thought", "likeCount"])
    }
}
