import Foundation
import GraphQL
import Testing

@testable import App

@Suite struct ErrorCodesTests {
    @Test func theSchemaDescribesEveryCode() throws {
        let schema = try OperationRunner.schema.get().schema
        let described = schema.types.flatMap { type -> [String] in
            if case .enumeration(let codes) = type, type.name == "ErrorCode" { codes.values.map(\.name) } else { [] }
        }
        #expect(Set(described) == Set(ErrorCode.all.map(\.rawValue)))
        #expect(described.count == ErrorCode.all.count)
    }

    /// No code is made anywhere else, and none is left out of the list.
    @Test func allCodesStandInOnePlace() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
            .standardized
        let files = try #require(FileManager.default.subpaths(atPath: sources.path))
        var places: [String: Int] = [:]
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
            let count = text.split(separator: "ErrorCode(rawValue: \"", omittingEmptySubsequences: false).count - 1
            if count > 0 { places[file] = count }
        }
        #expect(places == ["GraphQL/ErrorCode.swift": ErrorCode.all.count])
    }
}
