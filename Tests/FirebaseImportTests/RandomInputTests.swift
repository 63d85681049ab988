import GraphQL
import TestSupport
import Testing

@testable import FirebaseImport

/// Exports with random bytes changed, left out and repeated: each is read to its end or refused, and nothing that is
/// read is larger than its limits.
@Suite struct RandomInputTests {
    private static let samples = [
        #"{"__collections__":{"thoughts":{"a":{"t":"x\u00e9","at":{"__datatype__":"timestamp","value":{"_seconds":1577836800,"_nanoseconds":0}},"__collections__":{"comments":{"c":{"t":[1,2.5e3,null,true]}}}}}}}"#,
        #"{"thoughts":{"a":{"t":"x","subCollection":{"thoughts/a/comments":{"c":{"t":{"k":"v"}}}}}}}"#,
        #"{"documents":[{"name":"projects/p/databases/d/documents/thoughts/a","fields":{"t":{"stringValue":"x"},"n":{"integerValue":"7"}}}]}"#,
        #"{"Users":{"u":{"p":{"title":"x","list":[null,{"a":1}]},"q":7}},"likes":[null,{"u":true}]}"#,
        #"{"users":[{"localId":"u","email":"a@b.example","passwordHash":"aGFzaA==","salt":"c2FsdA==","createdAt":"1577836800000","providerUserInfo":[]}]}"#,
        "paths:\n  - path: a/{b}\n    thought: {author: x, text: [t, u], createdAt: {from: d, format: dd/MM/yyyy}}\n",
    ]
    private static let pieces: [[UInt8]] =
        [
            "{", "}", "[", "]", "\"", ":", ",", "\\", "\\u", "\\ud800", "null", "1e999", "-", "\u{0}", "{\"a\":",
            "[[[[[[[[",
            "__collections__", "documents", "{}", "&a ", "? ", "- ", "\n", "  ",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90]]

    @Test(arguments: 0..<4 as Range<UInt64>) func changedExports(seed: UInt64) async {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_500 {
            var bytes = Array(Self.samples.randomElement(using: &generator)?.utf8 ?? "".utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) { Self.change(&bytes, &generator) }
            await read(bytes)
        }
    }

    private static func change(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let place = Int.random(in: 0...bytes.count, using: &generator)
        let end = min(bytes.count, place + Int.random(in: 0...12, using: &generator))
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes.removeSubrange(place..<end)
        case 1: bytes.insert(contentsOf: pieces.randomElement(using: &generator) ?? [], at: place)
        case 2: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
        default: if place < bytes.count { bytes[place] = .random(in: 0...255, using: &generator) }
        }
    }

    private func read(_ bytes: [UInt8]) async {
        try? await FirestoreReader(JSONScanner(bytes)) { _ in }.forEach(check)
        let patterns = ["Users/{u}/{p}", "likes/{p}/{u}", "thoughts/{t}", "thoughts/{t}/comments/{c}"].compactMap(
            PathPattern.init)
        try? await RealtimeDatabaseReader(JSONScanner(bytes), patterns: patterns) { _ in }.forEach(check)
        try? await AccountReader(JSONScanner(bytes)).forEach { _, account in
            if case .success(let account) = account { #expect(!account.uid.isEmpty && account.uid.count <= 128) }
        }
        _ = try? MappingParser(name: "m").parse(String(decoding: bytes, as: UTF8.self))
    }

    private func check(_ document: FirebaseDocument) {
        if document.defect == nil {
            #expect(document.pathText.utf8.count <= FirebaseDocument.maximumPathByteCount)
            #expect(!document.pathText.utf8.contains(0))
        }
        for field in document.fields { _ = FieldValue(field.content) }
    }
}
