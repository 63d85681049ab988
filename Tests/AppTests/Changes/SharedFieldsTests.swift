import Foundation
import GraphQL
import TestSupport
import Testing

@testable import App

@Suite struct SharedFieldsTests {
    /// The fields that one execution resolves for many subscribers. Each must be the same for everybody who sees the
    /// object: read the difference before you commit it.
    @Test func areAsRecorded() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("shared-fields.txt")
        let fields = try OperationRunner.schema.get().sharedFields.map { "\($0)\n" }.joined()
        try compareWithRecorded(fields, in: file)
    }

    /// What has no shared field is read in the subscriber's own name from the start.
    @Test func privateKindsHaveNone() throws {
        let shared = Set(try OperationRunner.schema.get().sharedFields.compactMap { $0.split(separator: ".").first })
        for kind in TypeID.Kind.allCases {
            let type = kind == .device ? "PushDevice" : kind.rawValue.capitalized
            #expect(kind.objectKind.isPrivate != shared.contains(type[...]), "\(type)")
        }
    }
}
