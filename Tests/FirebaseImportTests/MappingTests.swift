import GraphQL
import Testing

@testable import FirebaseImport

@Suite struct MappingTests {
    @Test(arguments: ["rndm", "posts", "socials", "practica", "reswift"]) func readyMappingsAreRead(name: String) throws
    {
        #expect(try !Mapping(name).rules.isEmpty)
    }

    @Test(arguments: [
        ("paths: []", "the list \"paths\" is missing or empty"),
        ("path: x", "line 1: a mapping has the list \"paths\" and nothing else"),
        ("paths:\n  - thought: {}", "line 2: the path is missing or malformed"),
        ("paths:\n  - path: a//b\n    ignore: true", "the path is missing or malformed"),
        ("paths:\n  - path: a/{b}", "nothing becomes of the documents of a/{b}"),
        ("paths:\n  - path: a/{b}\n    post: {}", "line 3: there is no \"post\"; there are account, thought"),
        ("paths:\n  - path: a/{b}\n    likes: {who: x}", "likes has no \"who\"; it has createdAt, each, on, person"),
        ("paths:\n  - path: a/{b}\n    thought: {text: t}", "thought needs author, createdAt"),
        ("paths:\n  - path: a/{b}\n    likes: {person: \"{c}\"}", "a value is a field's name"),
        ("paths:\n  - path: a/{b}\n    likes: {person: {from: x, format: QQ}}", "\"QQ\" is not a format"),
        ("paths:\n  - path: a/{b}\n    likes: &x {person: *x}", "a mapping has no asterisk"),
        ("paths: [", "is not YAML"), ("- a", "a mapping is an object"), ("", "a mapping is an object"),
    ])
    func whatIsWrongIsSaid(text: String, expected: String) {
        let failure = #expect(throws: ImportFailure.self) { try MappingParser(name: "m.yaml").parse(text) }
        #expect(failure?.description.contains(expected) == true, "\(failure as Any)")
    }

    @Test(arguments: [
        ("true", true), ("True", true), ("TRUE", true), ("yes", true), ("Yes", true), ("YES", true), ("on", true),
        ("On", true), ("ON", true), ("y", true), ("Y", true), ("false", false), ("False", false), ("FALSE", false),
        ("no", false), ("No", false), ("NO", false), ("off", false), ("Off", false), ("OFF", false), ("n", false),
        ("N", false),
    ])
    func booleansOfYAMLAreRead(text: String, expected: Bool) throws {
        let mapping = try MappingParser(name: "m.yaml").parse(
            """
            paths:
              - path: a/{b}
                thought:
                  author: u
                  createdAt: d
                  text: {from: t, cut: \(text)}
                  published: {from: p, default: \(text)}
            """)
        let fields = try #require(mapping.rules.first).fields
        #expect(fields[.text]?.cuts == expected)
        #expect(try fields[.published]?.bool(in: try scope("{}")) == expected)
        let ignored = try? MappingParser(name: "m.yaml").parse("paths:\n  - path: a/{b}\n    ignore: \(text)")
        #expect((ignored != nil) == expected)
    }

    @Test(arguments: ["tRUE", "\"true\"", "'no'", "1", "~", "truly", "[true]", "{}"])
    func otherValuesAreNoBooleans(text: String) {
        for (field, option, line) in [("text", "cut", 7), ("published", "default", 8)] {
            let failure = #expect(throws: ImportFailure.self) {
                try MappingParser(name: "m.yaml").parse(
                    """
                    paths:
                      - path: a/{b}
                        thought:
                          author: u
                          createdAt: d
                          category: c
                          text: \(field == "text" ? "{from: t, \(option): \(text)}" : "t")
                          published: \(field == "text" ? "p" : "{from: p, \(option): \(text)}")
                    """)
            }
            #expect(
                failure?.description == "m.yaml, line \(line): \(option) is true or false, without quotation marks.")
        }
    }

    @Test(arguments: ["five", "6", "0", "~"]) func starsHaveANumberAsDefault(text: String) {
        let failure = #expect(throws: ImportFailure.self) {
            try MappingParser(name: "m.yaml").parse(
                "paths:\n  - path: a/{b}\n    ratings: {person: u, stars: {from: s, default: \(text)}}")
        }
        #expect(failure?.description == "m.yaml, line 3: default is a number from 1 to 5.")
    }

    /// The YAML library bounds its recursion.
    @Test(arguments: ["[", "{a: ", "- ", "? "]) func deepNestingIsRefused(piece: String) {
        #expect(throws: ImportFailure.self) {
            try MappingParser(name: "m.yaml").parse(String(repeating: piece, count: 60_000 / piece.utf8.count))
        }
    }

    // MARK: - Values

    private func scope(_ json: String, _ variables: [String: String] = [:]) throws -> Scope {
        var document = FirebaseDocument(path: ["c", "d"])
        guard case .object(let object) = try parseJSON(Array(json.utf8)) else { throw ImportFailure("not an object") }
        for field in object.fields { document.add(.init(text: field.name), .value(field.value)) }
        return Scope(document: document, variables: variables)
    }

    private func rule(_ expressions: String..., variables: Set<String> = []) throws -> FieldRule {
        FieldRule(from: try expressions.map { try #require(Expression($0, variables: variables)) })
    }

    @Test func expressionsFindValues() throws {
        let scope = try scope(#"{"a": {"b": "x"}, "n": null, "t": "y"}"#, ["id": "7"])
        #expect(try rule("a.b").text(in: scope) == "x")
        #expect(try rule("n", "t").text(in: scope) == "y")
        #expect(try rule("=z").text(in: scope) == "z")
        #expect(try rule("p/{id}/q", variables: ["id"]).text(in: scope) == "p/7/q")
        #expect(try rule("none").text(in: scope) == nil)
        #expect(throws: FieldRule.Misfit(text: "It is an object, not a text.")) { try rule("a").text(in: scope) }
    }

    @Test func valuesAreReplaced() throws {
        var rule = try rule("c")
        rule.values = ["funny": "FUNNY"]
        #expect(try rule.text(in: try scope(#"{"c": "Funny"}"#)) == "FUNNY")
        #expect(throws: FieldRule.Misfit.self) { try rule.text(in: try scope(#"{"c": "sad"}"#)) }
        rule.fallback = "SERIOUS"
        #expect(try rule.text(in: try scope(#"{"c": "sad"}"#)) == "SERIOUS")
        #expect(try rule.text(in: try scope("{}")) == "SERIOUS")
    }

    @Test func referencesAreIDs() throws {
        let scope = try scope(
            """
            {"a": {"__datatype__": "documentReference", "value": "users/u"}, "b": "projects/p/databases/d/documents/users/v",
            "c": "w", "d": 7}
            """)
        #expect(try rule("a").id(in: scope) == "u")
        #expect(try rule("a").id(in: scope, isPath: true) == "users/u")
        #expect(try rule("b").id(in: scope) == "v")
        #expect(try rule("c").id(in: scope) == "w")
        #expect(throws: FieldRule.Misfit.self) { try rule("d").id(in: scope) }
    }

    @Test func listsAndObjectsHaveElements() throws {
        let scope = try scope(#"{"a": ["u", "v"], "b": {"u": true, "v": false, "w": 3}, "c": [{"x": 1}], "d": 12}"#)
        #expect(try rule("a").elements(in: scope).map(\.name) == ["u", "v"])
        #expect(try rule("b").elements(in: scope).map(\.name) == ["u", "w"])
        #expect(try rule("c").elements(in: scope).map(\.name) == ["0"])
        #expect(try rule("none").elements(in: scope).isEmpty)
        #expect(throws: FieldRule.Misfit.self) { try rule("d").elements(in: scope) }
    }

    // MARK: - Times

    @Test(arguments: [
        ("1577836800", 1_577_836_800_000 as Int64), ("1577836800.5", 1_577_836_800_500),
        ("1577836800000", 1_577_836_800_000),
        (#""2020-01-01T00:00:00Z""#, 1_577_836_800_000),
        (#"{"_seconds": 1577836800, "_nanoseconds": 7000000}"#, 1_577_836_800_007),
        (#"{"seconds": 1577836800, "nanoseconds": 0}"#, 1_577_836_800_000),
        (#"{"__datatype__": "timestamp", "value": {"_seconds": 1577836800, "_nanoseconds": 0}}"#, 1_577_836_800_000),
    ])
    func timesAreRead(json: String, milliseconds: Int64) throws {
        let value = try parseJSON(Array(json.utf8))
        #expect(FirebaseDate.timestamp(value, nil)?.unixMilliseconds == milliseconds)
    }

    @Test(arguments: [
        "7", "-1", "1e300", #""yesterday""#, "true", "{}", #"{"_seconds": "7"}"#, #"{"_seconds": 9223372036854775807}"#,
    ])
    func otherTimesAreRefused(json: String) throws {
        #expect(FirebaseDate.timestamp(try parseJSON(Array(json.utf8)), nil) == nil)
    }

    @Test(arguments: [
        ("dd/MM/yyyy HH:mm", "01/02/2020 03:04", 1_580_526_240_000 as Int64?),
        ("MMM d, yyyy", "Feb 1, 2020", 1_580_515_200_000),
        ("yyyy-MM-dd HH:mm:ss", "2020-02-01 00:00:07", 1_580_515_207_000), ("dd/MM/yyyy", "31/02/2020", nil),
        ("dd/MM/yyyy", "1/2/2020", nil), ("dd/MM/yyyy", "01/02/2020 ", nil),
    ])
    func formatsAreFollowed(format: String, text: String, milliseconds: Int64?) throws {
        #expect(try #require(DateFormat(format)).timestamp(text)?.unixMilliseconds == milliseconds)
    }

    @Test(arguments: ["", "QQ", "HH:mm", "dd/MM/yy"]) func otherFormatsAreRefused(format: String) {
        #expect(DateFormat(format) == nil)
    }

    // MARK: - Storage

    @Test(arguments: [
        ("userImage/a.jpg", "userImage/a.jpg" as String?), ("gs://bucket/userImage/a b.jpg", "userImage/a b.jpg"),
        (
            "https://firebasestorage.googleapis.com/v0/b/p.appspot.com/o/userImage%2Fa%20b.jpg?alt=media&token=t",
            "userImage/a b.jpg"
        ),
        ("https://storage.googleapis.com/bucket/userImage/a%20b.jpg", "userImage/a b.jpg"),
        ("https://example.com/a.jpg", nil), ("../../etc/passwd", nil), ("a/../b", nil), ("/etc/passwd", nil), ("", nil),
        ("https://firebasestorage.googleapis.com/v0/b/p/o/..%2F..%2Fetc", nil), ("gs://bucket", nil),
        ("https://firebasestorage.googleapis.com/v0/b/p/o/%zz", nil), ("a\u{0}b", nil),
    ])
    func addressesInStorage(address: String, file: String?) {
        #expect(StorageFolder.file(of: address) == file)
    }
}
