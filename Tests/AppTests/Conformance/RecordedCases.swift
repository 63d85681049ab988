import Foundation
import GraphQL
import Testing

/// The recorded cases of public suites, which are no part of the package: `TERTULIA_CONFORMANCE`, or
/// `../shared/conformance`.
enum RecordedCases {
    private static let folder: URL = {
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return ProcessInfo.processInfo.environment["TERTULIA_CONFORMANCE"].map { URL(fileURLWithPath: $0) }
            ?? root.deletingLastPathComponent().appendingPathComponent("shared/conformance")
    }()

    static func exist(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    static func read(_ name: String) throws -> [InputObject] {
        let bytes = try [UInt8](Data(contentsOf: folder.appendingPathComponent(name)))
        guard case .list(let cases) = try parseJSON(bytes) else { throw CocoaError(.fileReadCorruptFile) }
        return try cases.map { recorded in
            guard case .object(let object) = recorded else { throw CocoaError(.fileReadCorruptFile) }
            return object
        }
    }
}
