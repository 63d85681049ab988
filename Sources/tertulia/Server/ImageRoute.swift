import App
import GraphQLTransport
import HTTPTypes
import Hummingbird

/// `GET /images/ID`, and HEAD.
struct ImageRoute {
    /// Forbids scripts and all resources if a browser opens the bytes as a document.
    private static let contentSecurityPolicy = "default-src 'none'; sandbox"

    private let environment: App.Environment
    private let cache: ImageCache

    static func add(to router: Router<BasicRequestContext>, _ environment: App.Environment, _ cache: ImageCache) {
        let route = ImageRoute(environment: environment, cache: cache)
        router.get("images/:id") { request, context in
            do {
                return try await route.respond(to: request, id: try context.parameters.require("id"))
            } catch {
                // `executionError` writes unexpected errors to the log.
                _ = App.RequestContext(environment: environment, viewer: nil).executionError(for: error)
                return Response(status: .serviceUnavailable)
            }
        }
    }

    private init(environment: App.Environment, cache: ImageCache) {
        (self.environment, self.cache) = (environment, cache)
    }

    private func respond(to request: Request, id: String) async throws -> Response {
        let query = request.uri.queryParameters
        let file = try await environment.imageFile(
            id: id, expires: query["expires"].map(String.init), signature: query["signature"].map(String.init))
        guard let file else { return Response(status: .notFound) }
        let plan = ImageResponse(file, request.method, request.headers)
        guard let range = plan.range else { return Response(status: plan.status, headers: plan.headers) }
        guard let bytes = try await bytes(of: file),
            let slice = bytes.getSlice(at: range.lowerBound, length: range.count)
        else { return Response(status: .notFound) }
        return Response(status: plan.status, headers: plan.headers, body: ResponseBody(byteBuffer: slice))
    }

    private func bytes(of file: ImageFile) async throws -> ByteBuffer? {
        if let bytes = cache[file.digest] { return bytes }
        guard let bytes = try await environment.imageBytes(file).map({ ByteBuffer(bytes: $0) }) else { return nil }
        cache.insert(bytes, for: file.digest)
        return bytes
    }

    /// The response to a request for an image, without the bytes.
    struct ImageResponse {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        /// The range of the image's bytes that the response has; nil for the statuses 304 and 416.
        let range: Range<Int>?

        init(_ file: ImageFile, _ method: HTTPRequest.Method, _ request: HTTPFields) {
            var headers: HTTPFields = [
                .eTag: file.entityTag, .acceptRanges: "bytes", .xContentTypeOptions: "nosniff",
                .contentSecurityPolicy: ImageRoute.contentSecurityPolicy,
                // A signed address was given to one person, so shared caches may not keep the response.
                .cacheControl: file.validity.map { "private, max-age=\($0)" } ?? "public, max-age=31536000, immutable",
            ]
            // RFC 9110, 13.2.2: If-None-Match is evaluated before Range.
            if let tags = request[.ifNoneMatch], EntityTagList.names(tags, file.entityTag) {
                (status, self.headers, range) = (.notModified, headers, nil)
                return
            }
            headers[.contentType] = file.mimeType
            // 13.1.5 and 14.2: a range holds for GET only, and not if If-Range names another version.
            let isOfThis = method == .get && request[.ifRange].map { $0 == file.entityTag } ?? true
            switch ByteRange(isOfThis ? request[.range] : nil, size: file.byteSize) {
            case .whole: (status, range) = (.ok, 0..<file.byteSize)
            case .part(let part):
                headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound)/\(file.byteSize)"
                (status, range) = (.partialContent, Range(part))
            case .unsatisfiable:
                headers[.contentRange] = "bytes */\(file.byteSize)"
                headers[.contentType] = nil
                headers[.cacheControl] = nil
                (status, range) = (.rangeNotSatisfiable, nil)
            }
            self.headers = headers
        }
    }
}
