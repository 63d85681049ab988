import Foundation
import GraphQL
import Testing

@testable import GraphQLTransport

/// The recorded multipart requests: what comes out of each, or the status of its refusal.
@Suite(.enabled(if: RecordedRequests.url != nil))
struct MultipartConformanceTests {
    @Test func everyRecordedRequestGivesItsOutcome() throws {
        let vectors = try RecordedRequests.read()
        var passed = 0
        for vector in vectors {
            let outcome = vector.outcome()
            if vector.expects(outcome) {
                passed += 1
            } else {
                Issue.record("\(vector.name): \(outcome)")
            }
        }
        #expect(passed == vectors.count && passed > 0)
        print("multipart-vectors.json: \(passed) / \(vectors.count)")
    }
}

/// The folder of recorded cases, which is no part of the package: `TERTULIA_CONFORMANCE`, or `../shared/conformance`.
private enum RecordedRequests {
    static let url: URL? = {
        var candidates: [URL] = []
        if let path = ProcessInfo.processInfo.environment["TERTULIA_CONFORMANCE"] {
            candidates.append(URL(fileURLWithPath: path))
        }
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<4 { root.deleteLastPathComponent() }
        candidates.append(root.deletingLastPathComponent().appendingPathComponent("shared/conformance"))
        return candidates.map { $0.appendingPathComponent("multipart-vectors.json") }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }()

    static func read() throws -> [RecordedRequest] {
        guard let url, case .list(let vectors) = try parseJSON(Array(Data(contentsOf: url))) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return try vectors.map { try #require(RecordedRequest($0)) }
    }
}

private struct RecordedRequest {
    let name: String
    private let recorded: InputValue
    private let contentType: String
    private let body: [UInt8]
    private var limits = UploadLimits()

    init?(_ vector: InputValue) {
        guard case .string(let name)? = vector["test"], let recorded = vector["outcome"],
            case .list(let requests)? = vector["requests"], case .string(let head)? = requests.first?["head"],
            case .string(let base64)? = requests.first?["bodyBase64"], let body = Data(base64Encoded: base64)
        else { return nil }
        self.name = name
        self.recorded = recorded
        let fields = head.lowercased().split(separator: "\r\n")
        guard let field = head.split(separator: "\r\n").first(where: { $0.lowercased().hasPrefix("content-type:") })
        else { return nil }
        contentType = String(field.dropFirst("content-type: ".count))
        self.body = fields.contains("transfer-encoding: chunked") ? Self.unchunked(Array(body)) : Array(body)
        if case .int(let count)? = vector["options"]?["maxFiles"] { limits.fileCount = count }
        if case .int(let size)? = vector["options"]?["maxFileSize"] { limits.fileSize = size }
        if case .int(let size)? = vector["options"]?["maxFieldSize"] { limits.nonFileSize = size }
    }

    func outcome() -> Result<MultipartRequest, MultipartError> {
        guard let boundary = MultipartBoundary(contentType: contentType) else {
            return .failure(.malformed(contentType))
        }
        return Result { () throws(MultipartError) in
            var reader = MultipartRequestReader(boundary, limits: limits, jsonDepth: 64)
            for start in stride(from: 0, to: body.count, by: 1_000) {
                try reader.read(Array(body[start..<min(start + 1_000, body.count)]))
            }
            return try reader.finish()
        }
    }

    /// Recorded are promises of files: where one of them is never kept, the request is refused as a whole. An error
    /// without a status is one of the parser: 400.
    func expects(_ outcome: Result<MultipartRequest, MultipartError>) -> Bool {
        switch (outcome, recorded["ok"], recorded["status"]) {
        case (.failure(let error), nil, .int(let status)?): Int(error.status.code) == status
        case (.failure(let error), nil, nil): error.status == .badRequest
        case (.failure(let error), let ok?, nil): ok.hasBrokenPromise && 400..<500 ~= error.status.code
        case (.success(let request), let ok?, nil): !ok.hasBrokenPromise && request.operations.matches(ok)
        default: false
        }
    }

    /// RFC 9112, 7.1 Chunked Transfer Coding; some of the requests were cut off.
    private static func unchunked(_ bytes: [UInt8]) -> [UInt8] {
        var content: [UInt8] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0D) {
            guard let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16), size > 0 else { break }
            rest = rest[(end + 2)...]
            content += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        return content
    }
}

extension InputValue {
    fileprivate var hasBrokenPromise: Bool {
        switch self {
        case .object(let object):
            (object["promise"] != nil && object["file"] == nil) || object.fields.contains { $0.value.hasBrokenPromise }
        case .list(let items): items.contains(where: \.hasBrokenPromise)
        default: false
        }
    }

    fileprivate func matches(_ recorded: InputValue) -> Bool {
        switch (self, recorded) {
        case (.upload(let upload), _):
            return recorded["file"]?["filename"] == .string(upload.filename)
                && recorded["file"]?["mimetype"] == upload.contentType.map(InputValue.string)
        case (.list(let items), .list(let others)):
            return items.count == others.count && zip(items, others).allSatisfy { $0.matches($1) }
        case (.object(let object), .object(let other)):
            return object.fields.count == other.fields.count
                && object.fields.allSatisfy { field in other[field.name].map { field.value.matches($0) } ?? false }
        default: return self == recorded
        }
    }
}
