import GraphQL
import Testing

@testable import FirebaseImport

@Suite struct ReaderTests {
    /// The documents as `path {fields}`, and what was skipped.
    private func firestore(_ text: String) async throws -> (documents: [String], skipped: [String]) {
        var documents: [String] = []
        var skipped: [String] = []
        try await FirestoreReader(JSONScanner(Array(text.utf8))) { skipped.append($0) }
            .forEach { documents.append(Self.line($0)) }
        return (documents, skipped)
    }

    private func tree(_ text: String, _ patterns: String...) async throws -> (documents: [String], skipped: [String]) {
        var documents: [String] = []
        var skipped: [String] = []
        try await RealtimeDatabaseReader(
            JSONScanner(Array(text.utf8)), patterns: patterns.map { try #require(PathPattern($0)) }
        ) { skipped.append($0) }.forEach { documents.append(Self.line($0)) }
        return (documents, skipped)
    }

    private static func line(_ document: FirebaseDocument) -> String {
        if let defect = document.defect { return "\(document.pathText) \(defect)" }
        guard case .value(let value) = document.value else { return "\(document.pathText) \(document.value)" }
        var json = JSONWriter(capacity: 64)
        json.write(value)
        return "\(document.pathText) \(String(decoding: json.bytes, as: UTF8.self))"
    }

    @Test func collectionsWithMarkers() async throws {
        let read = try await firestore(
            """
            {"__collections__": {"thoughts": {"a": {"text": "x", "__collections__": {"comments": {
            "c": {"text": "y", "__collections__": {}}}}}}, "users": {}}}
            """)
        #expect(read.documents == [#"thoughts/a/comments/c {"text":"y"}"#, #"thoughts/a {"text":"x"}"#])
        #expect(read.skipped.isEmpty)
    }

    @Test func collectionsByPath() async throws {
        let read = try await firestore(
            """
            {"thoughts": {"a": {"text": "x", "subCollection": {"thoughts/a/comments": {"c": {"text": "y"}}}}}}
            """)
        #expect(read.documents == [#"thoughts/a/comments/c {"text":"y"}"#, #"thoughts/a {"text":"x"}"#])
    }

    @Test func pagesOfTheRESTAPI() async throws {
        let read = try await firestore(
            """
            {"documents": [{"name": "projects/p/databases/(default)/documents/thoughts/a", "fields": {
              "text": {"stringValue": "x"}, "numLikes": {"integerValue": "7"}, "at": {"timestampValue": "2020-01-01T00:00:00Z"},
              "who": {"referenceValue": "projects/p/databases/(default)/documents/users/u"}, "gone": {"nullValue": null},
              "tags": {"arrayValue": {"values": [{"stringValue": "t"}]}}, "map": {"mapValue": {"fields": {"k": {"booleanValue": true}}}}
            }, "createTime": "2020-01-01T00:00:00Z"}], "nextPageToken": "t"}
            {"documents": []}
            """)
        #expect(
            read.documents == [
                #"thoughts/a {"text":"x","numLikes":7,"at":"2020-01-01T00:00:00Z","who":"users/u","tags":["t"],"map":{"k":true}}"#
            ])
    }

    @Test func oneDocumentALine() async throws {
        let read = try await firestore(
            """
            {"path": "thoughts/a", "data": {"text": "x"}}
            {"fields": {"text": {"stringValue": "y"}}, "name": "projects/p/databases/d/documents/thoughts/b"}
            """)
        #expect(read.documents == [#"thoughts/a {"text":"x"}"#, #"thoughts/b {"text":"y"}"#])
    }

    @Test func aTreeIsCutByPatterns() async throws {
        let read = try await tree(
            """
            {"Users": {"u": {"p": {"title": "x", "photo": {"a": 1}}, "q": 7}}, "likes": {"p": {"u": true}}, "other": [1]}
            """, "Users/{uid}/{post}", "likes/{post}/{uid}")
        #expect(read.documents == [#"Users/u/p {"title":"x","photo":{"a":1}}"#, "Users/u/q 7", "likes/p/u true"])
        #expect(read.skipped == ["other"])
    }

    @Test func aNestedPatternIsNoField() async throws {
        let read = try await tree(
            #"{"posts": {"a": {"text": "x", "comments": {"c": {"text": "y"}}}}}"#, "posts/{p}", "posts/{p}/comments/{c}"
        )
        #expect(read.documents == [#"posts/a/comments/c {"text":"y"}"#, #"posts/a {"text":"x"}"#])
    }

    /// Firebase exports children with small numbers as keys as a list.
    @Test func aListHasItsPlacesAsKeys() async throws {
        let read = try await tree(#"{"posts": [null, {"text": "x"}]}"#, "posts/{p}")
        #expect(read.documents == [#"posts/1 {"text":"x"}"#])
    }

    @Test func whatIsNotUTF8IsADefect() async throws {
        var documents: [FirebaseDocument] = []
        let bytes =
            Array(#"{"posts": {"a": {"text": ""#.utf8) + [0xC3, 0x28] + Array(#"", "t": 1}, ""#.utf8) + [0xFF]
            + Array(#"": {"text": "x"}}}"#.utf8)
        try await RealtimeDatabaseReader(
            JSONScanner(bytes), patterns: [try #require(PathPattern("posts/{p}"))]
        ) { _ in }.forEach { documents.append($0) }
        #expect(documents.map(\.pathText) == ["posts/a", "posts/\u{FFFD}"])
        #expect(documents[0].value("text") == .malformed("Invalid UTF-8 in a JSON string at byte 1."))
        #expect(documents[0].value("t") == .value(.int(1)))
        #expect(documents[1].defect == "The path is not valid UTF-8.")
    }

    @Test(arguments: [#"\x"#, #"\u12"#, #"\ud800"#]) func aWrongEscapeIsToldAsSuch(escape: String) async throws {
        let reason = "The path has an escape or a control character that JSON does not allow."
        let tree = try await tree(#"{"posts": {"a\#(escape)": {"c": {"d": {}}}}}"#, "posts/{p}", "posts/{p}/c/{d}")
        #expect(tree.documents == [#"posts/a\#(escape)/c/d \#(reason)"#, #"posts/a\#(escape) \#(reason)"#])
        for text in [
            #"{"__collections__": {"posts": {"a\#(escape)": {"__collections__": {"c": {"d": {}}}}}}}"#,
            #"{"posts": {"a\#(escape)": {"subCollection": {"posts/a/c": {"d": {}}}}}}"#,
        ] { #expect(try await firestore(text).documents == tree.documents) }
        let listed = try await firestore(#"{"path": "posts/a\#(escape)", "data": {}} {"path": "posts/b", "data": {}}"#)
        #expect(listed.documents == [#"posts/a\#(escape) \#(reason)"#, "posts/b {}"])
    }

    @Test func aReasonIsThatOfItsOwnPath() async throws {
        let read = try await tree(#"{"posts": {"a\u0000": {"c": {"d": {}}}}}"#, "posts/{p}", "posts/{p}/c/{d}")
        #expect(read.documents.count == 2)
        for line in read.documents {
            #expect(line.hasSuffix("The path contains a character that cannot be stored."), "\(line)")
        }
    }

    @Test func aListedPathThatIsNoTextIsSaid() async throws {
        var documents: [FirebaseDocument] = []
        var skipped: [String] = []
        let bytes =
            Array(#"{"path": "posts/"#.utf8) + [0xFF] + Array(#"", "data": {}} {"path": ""#.utf8)
            + [UInt8](repeating: UInt8(ascii: "k"), count: 5_000) + Array(#"", "data": {}}"#.utf8)
        try await FirestoreReader(JSONScanner(bytes)) { skipped.append($0) }.forEach { documents.append($0) }
        #expect(documents.map(Self.line) == ["posts/\u{FFFD} The path is not valid UTF-8."])
        #expect(skipped == ["a listed document with a path of more than 4,096 bytes"])
    }

    @Test func aFieldWithAWrongNameIsLeftOut() async throws {
        var documents: [FirebaseDocument] = []
        try await FirestoreReader(JSONScanner(Array(#"{"c": {"d": {"t\x": 1, "u": 2}}}"#.utf8))) { _ in }
            .forEach { documents.append($0) }
        #expect(documents.first?.unreadableNames == [#"t\x"#])
        #expect(documents.first?.fields.map(\.name) == ["u"])
    }

    @Test func aFieldThatNestsTooDeepIsMalformed() async throws {
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        let read = try await firestore(#"{"c": {"d": {"f": \#(deep)}}}"#)
        #expect(read.documents.first?.contains("nests deeper than 32 levels") == true, "\(read)")
    }

    @Test func aPathTooLongIsADefect() async throws {
        let read = try await firestore(#"{"c": {"\#(String(repeating: "k", count: 1_500))": {}}}"#)
        #expect(read.documents.first?.hasSuffix("The path has more than 1000 bytes.") == true)
    }

    // MARK: - Accounts

    private func accounts(_ text: String) async throws -> [Result<ExportedAccount, ExportedAccount.Defect>] {
        var accounts: [Result<ExportedAccount, ExportedAccount.Defect>] = []
        try await AccountReader(JSONScanner(Array(text.utf8))).forEach { accounts.append($1) }
        return accounts
    }

    @Test func accountsOfAnExport() async throws {
        let read = try await accounts(
            """
            {"users": [{"localId": "u", "email": "a@b.example", "emailVerified": true, "passwordHash": "aGFzaA==",
            "salt": "c2FsdA==", "displayName": "A", "createdAt": "1577836800000", "disabled": true, "providerUserInfo": []},
            {"localId": "v", "createdAt": "1577836800000", "providerUserInfo": []},
            {"localId": "w", "phoneNumber": "+1"}, {"email": "x"}, 7, {"localId": 7}, {"localId": "x", "email": 7},
            {"localId": "y", "createdAt": "never"}]}
            """)
        let first = try read[0].get()
        #expect(first.uid == "u" && first.isEmailVerified && first.isDisabled && !first.isAnonymous)
        #expect(first.createdAt?.unixMilliseconds == 1_577_836_800_000)
        #expect(try read[1].get().isAnonymous)
        #expect(try !read[2].get().isAnonymous)
        let reasons = read.dropFirst(3).map { account in
            if case .failure(let defect) = account { defect.reason } else { "" }
        }
        #expect(
            reasons == [
                "localId is missing.", "It is not an object.", "localId is missing.", "email is not a text.",
                "createdAt is not a time in milliseconds.",
            ])
    }

    @Test(arguments: ["[]", "{}", #"{"users": 1}"#]) func otherFilesAreRefused(text: String) async {
        await #expect(throws: ImportFailure.self) { try await accounts(text) }
    }
}
