extension ServerSettings {
    /// nil where the body is no multipart one, or none is taken.
    func multipartReader(for head: RequestHead) -> MultipartRequestReader? {
        guard let uploads, head.method == .POST, let contentType = head.contentType, contentType != "application/json",
            let boundary = MultipartBoundary(contentType: contentType)
        else { return nil }
        return MultipartRequestReader(boundary, limits: uploads, jsonDepth: limits.jsonDepth)
    }
}
