import FoundationEssentials
import GraphQL
import SystemPackage

/// A file of GraphQL text.
struct DocumentFile {
    let path: String
    let source: Source

    /// - Throws: `CommandFailure` if the file cannot be read.
    init(_ path: String) throws(CommandFailure) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("The file cannot be read.")
        }
        self.path = path
        source = Source(Array(data), name: path)
    }

    /// True where the text has comments. The text must be one that parses.
    /// Spec: 2.1.3 Comments
    var hasComments: Bool {
        var rest = source.bytes[...]
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "#"): return true
            case UInt8(ascii: "\""): rest = Self.behindString(rest)
            default: rest.removeFirst()
            }
        }
        return false
    }

    /// The bytes that follow the string with which `bytes` begin.
    /// Spec: 2.10.4 String Value
    private static func behindString(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let quotes = Array("\"\"\"".utf8)
        let isBlock = bytes.starts(with: quotes)
        var rest = bytes.dropFirst(isBlock ? 3 : 1)
        while let byte = rest.first {
            if byte == UInt8(ascii: "\\") {
                rest = rest.dropFirst(isBlock && rest.dropFirst().starts(with: quotes) ? 4 : isBlock ? 1 : 2)
            } else if isBlock ? rest.starts(with: quotes) : byte == UInt8(ascii: "\"") {
                return rest.dropFirst(isBlock ? 3 : 1)
            } else {
                rest.removeFirst()
            }
        }
        return rest
    }

    /// Overwrites the file in place, so that it keeps its owner and permissions.
    func write(_ text: String) throws {
        let file = try FileDescriptor.open(FilePath(path), .writeOnly, options: .truncate)
        try file.closeAfter { _ = try file.writeAll(text.utf8) }
    }
}
