extension ServerSettings {
    /// nil where the body is no multipart one, or none is taken.
    func multipartReader(for head: RequestHead) -> MultipartRequestReader? {
        // Most requests are JSON: they need no media type to be read once more.
        guard let uploads, head.method == .POST, let contentType = head.contentType,
            contentType.utf8.first.map({ $0 | 0x20 }) == UInt8(ascii: "m"),
            let boundary = MultipartBoundary(contentType: contentType)
        else { return nil }
        return MultipartRequestReader(boundary, limits: uploads, jsonDepth: limits.jsonDepth)
    }
}
