import Foundation

/// The body of a request and its content type.
struct RequestBody {
    let contentType: String
    let bytes: [UInt8]

    /// JSON, or a multipart form where there are files.
    /// Source: GraphQL over HTTP; GraphQL multipart request specification
    init(_ envelope: JSONObject, uploads: [UploadPart]) {
        let json = JSONValue.object(envelope).json
        guard !uploads.isEmpty else {
            contentType = "application/json"
            bytes = json
            return
        }
        let boundary = "tertulia-\(UUID().uuidString)"
        let map = JSONObject(
            uploads.enumerated().map { ("\($0.offset)", .list([.string($0.element.path)])) })
        var body: [UInt8] = []
        func part(_ disposition: String, type: String?, _ content: [UInt8]) {
            body += Array("--\(boundary)\r\nContent-Disposition: form-data; \(disposition)\r\n".utf8)
            if let type { body += Array("Content-Type: \(type)\r\n".utf8) }
            body += Array("\r\n".utf8) + content + Array("\r\n".utf8)
        }
        part("name=\"operations\"", type: "application/json", json)
        part("name=\"map\"", type: "application/json", JSONValue.object(map).json)
        for (index, upload) in uploads.enumerated() {
            let name = upload.file.name.filter { $0 != "\"" && $0 != "\r" && $0 != "\n" && $0 != "\r\n" && $0 != "\\" }
            part("name=\"\(index)\"; filename=\"\(name)\"", type: upload.file.contentType, upload.file.bytes)
        }
        body += Array("--\(boundary)--\r\n".utf8)
        contentType = "multipart/form-data; boundary=\(boundary)"
        bytes = body
    }
}
