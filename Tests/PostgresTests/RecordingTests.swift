import Foundation
import TestSupport
import Testing

@Suite struct RecordingTests {
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).txt")

    /// What a comparison says; nil if the text does not differ.
    private func difference(_ text: String) throws -> String? {
        do {
            try compareWithRecorded(text, in: file, writes: false, test: "AsRecorded()")
            return nil
        } catch let error as DiffersFromRecorded {
            return error.description
        }
    }

    @Test func whatIsWrittenDoesNotDiffer() throws {
        defer { try? FileManager.default.removeItem(at: file) }
        for text in ["a\nb\n", "a\nc\n"] {
            try compareWithRecorded(text, in: file, writes: true, test: "AsRecorded()")
            let told = try difference(text)
            #expect(told == nil)
            #expect(try String(contentsOf: file, encoding: .utf8) == text)
        }
    }

    @Test(arguments: [
        ("a\nc\n", ":2: `c`, and recorded is `b`."),
        ("a\nb\nc\n", ":3: `c`, and recorded is ``."),
        ("a\nb", ":3: nothing, and recorded is ``."),
        ("", ":1: ``, and recorded is `a`."),
        ("a\r\nb\n", ":1: `a\r`, and recorded is `a`."),
    ])
    func aDifferenceIsToldByItsLine(_ text: String, _ difference: String) throws {
        defer { try? FileManager.default.removeItem(at: file) }
        try compareWithRecorded("a\nb\n", in: file, writes: true, test: "AsRecorded()")
        let told = try self.difference(text)
        #expect(told == "\(file.lastPathComponent)\(difference) If that is meant, scripts/record writes it.")
        #expect(try String(contentsOf: file, encoding: .utf8) == "a\nb\n")
    }

    /// Swift compares these two texts as equal.
    @Test func anotherNormalFormDiffers() throws {
        defer { try? FileManager.default.removeItem(at: file) }
        try compareWithRecorded("\u{E9}", in: file, writes: true, test: "AsRecorded()")
        let told = try difference("e\u{301}")
        #expect(told != nil)
    }

    /// `scripts/record` would not run such a test.
    @Test func aTestOfAnotherNameIsRefused() throws {
        #expect(throws: DiffersFromRecorded.self) { try compareWithRecorded("a", in: file, writes: true) }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func aFileThatIsNotThereIsTold() throws {
        let told = try difference("a")
        #expect(told == "\(file.lastPathComponent) is not there; scripts/record writes it.")
    }
}
