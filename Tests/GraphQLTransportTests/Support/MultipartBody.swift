@testable import GraphQLTransport

/// The body of a multipart request, as a client writes it.
struct MultipartBody {
    static let boundary = "----tertulia"
    static let contentType = "multipart/form-data; boundary=\(boundary)"

    private(set) var text = ""

    /// A field.
    mutating func add(_ name: String, _ value: String) {
        text += "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }

    mutating func addFile(_ name: String, _ filename: String, _ content: String, type: String = "text/plain") {
        text += "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\(filename)\"\r\n"
        text += "Content-Type: \(type)\r\n\r\n\(content)\r\n"
    }

    mutating func addRaw(_ part: String) { text += "--\(Self.boundary)\r\n\(part)\r\n" }

    var ended: String { text + "--\(Self.boundary)--\r\n" }

    /// Operations and map, and then whatever `files` adds.
    static func request(
        _ operations: String, map: String, _ files: (inout MultipartBody) -> Void = { _ in }
    ) -> String {
        var body = MultipartBody()
        body.add("operations", operations)
        body.add("map", map)
        files(&body)
        return body.ended
    }
}

/// A whole body, read in chunks of one size.
func readMultipart(
    _ body: [UInt8], boundary: String = MultipartBody.boundary, limits: UploadLimits = UploadLimits(),
    chunks: (Int) -> Int = { _ in .max }
) throws(MultipartError) -> MultipartRequest {
    guard let boundary = MultipartBoundary(boundary) else { throw .malformed("boundary") }
    var reader = MultipartRequestReader(boundary, limits: limits, jsonDepth: 64)
    var position = 0
    while position < body.count {
        let end = position + min(max(1, chunks(position)), body.count - position)
        try reader.read(Array(body[position..<end]))
        position = end
    }
    return try reader.finish()
}

func readMultipart(_ body: String, limits: UploadLimits = UploadLimits()) throws(MultipartError) -> MultipartRequest {
    try readMultipart(Array(body.utf8), limits: limits)
}
