import Foundation

/// Compares `text` with a recorded file.
///
/// `scripts/record` has the file written instead. The script finds a test by its name, which ends in `AsRecorded`.
///
/// - Parameters:
///   - writes: whether the file is written where it differs.
///   - test: the name of the test.
/// - Throws: ``DiffersFromRecorded``, also where the test has another name; the error of writing the file, or of reading one
///   that is there.
public func compareWithRecorded(
    _ text: String, in file: URL, writes: Bool = ProcessInfo.processInfo.environment["TERTULIA_RECORD"] != nil,
    test: String = #function
) throws {
    guard test.prefix(while: { $0 != "(" }).hasSuffix("AsRecorded") else {
        throw DiffersFromRecorded(description: "\(test) has no name that ends in AsRecorded.")
    }
    let name = file.lastPathComponent
    let recorded = FileManager.default.fileExists(atPath: file.path) ? try Data(contentsOf: file) : nil
    // Bytes, because Swift compares texts by their canonical form.
    let bytes = Data(text.utf8)
    if bytes == recorded { return }
    if writes { return try bytes.write(to: file, options: .atomic) }
    guard let recorded else {
        throw DiffersFromRecorded(description: "\(name) is not there; scripts/record writes it.")
    }
    let (now, before) = (lines(bytes), lines(recorded))
    let index = zip(now, before).enumerated().first { $1.0 != $1.1 }?.offset ?? min(now.count, before.count)
    throw DiffersFromRecorded(
        description: """
            \(name):\(index + 1): \(quoted(now, index)), and recorded is \(quoted(before, index)). If that is meant, \
            scripts/record writes it.
            """)
}

/// Says where a text differs from its recorded file.
public struct DiffersFromRecorded: Error, CustomStringConvertible {
    public let description: String
}

private func lines(_ text: Data) -> [Data] {
    text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
}

private func quoted(_ lines: [Data], _ index: Int) -> String {
    index < lines.count ? "`\(String(decoding: lines[index], as: UTF8.self))`" : "nothing"
}
