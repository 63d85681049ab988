import NIOCore

/// Reads the body of a request to the endpoint while the body arrives, and refuses a body beyond the limits.
struct RequestBodyReader {
    /// A box that keeps `RequestBodyReader` small, since most bodies are not multipart.
    private final class Multipart {
        var reader: MultipartRequestReader

        init(_ reader: MultipartRequestReader) { self.reader = reader }
    }

    private let limit: Int
    private var bytes = ByteBuffer()
    /// The reader of a multipart body, which takes the place of `bytes`.
    private let multipart: Multipart?
    /// The answer to a request that is answered without its body: a refusal, or the answer to a preflight.
    private let refusal: GraphQLAnswer?

    /// - Parameter refusal: the answer to a request that is answered without its body. The body is still read, because
    ///   many clients read the answer only after they have written the whole body.
    init(of head: RequestHead, _ environment: TransportEnvironment, refusal: GraphQLAnswer? = nil) {
        self.refusal = refusal
        multipart = refusal == nil ? Self.multipart(of: head, environment) : nil
        limit =
            multipart == nil
            ? environment.settings.limits.bodySize : environment.settings.uploads?.bodySize ?? 0
    }

    /// The reader of a client connection between two requests.
    init() {
        limit = 0
        multipart = nil
        refusal = nil
    }

    /// The reader of a multipart body; nil where the body is of another type, or the server takes no uploads.
    private static func multipart(of head: RequestHead, _ environment: TransportEnvironment) -> Multipart? {
        // The first letter rules out most requests, which are JSON, before their media type is parsed.
        guard let uploads = environment.settings.uploads, head.method == .POST, let contentType = head.contentType,
            contentType.utf8.first.map({ $0 | 0x20 }) == UInt8(ascii: "m"),
            let boundary = MultipartBoundary(contentType: contentType)
        else { return nil }
        let jsonDepth = environment.settings.limits.jsonDepth
        return Multipart(MultipartRequestReader(boundary, limits: uploads, jsonDepth: jsonDepth))
    }

    /// The answer to a request whose body is longer than the limit; nil where the body is read.
    func refusal(ofLength length: Int?) -> GraphQLAnswer? { length ?? 0 > limit ? refusal ?? tooLarge : nil }

    /// Reads a part of the body. After an error no more may be read.
    mutating func read(_ part: ByteBuffer) throws(RefusedBody) {
        if let multipart {
            do { try multipart.reader.read(Array(buffer: part)) } catch {
                throw RefusedBody(answer: .refusal(error.status, error.message))
            }
            return
        }
        if bytes.readableBytes + part.readableBytes > limit { throw RefusedBody(answer: refusal ?? tooLarge) }
        var part = part
        if bytes.readableBytes == 0 { bytes = part } else { bytes.writeBuffer(&part) }
    }

    /// Ends the body after its last part.
    func finish() throws(RefusedBody) -> RequestBody {
        if let refusal { throw RefusedBody(answer: refusal) }
        guard let multipart else { return .bytes(bytes) }
        do { return .multipart(try multipart.reader.finish()) } catch {
            throw RefusedBody(answer: .refusal(error.status, error.message))
        }
    }

    private var tooLarge: GraphQLAnswer { .refusal(.payloadTooLarge, "The body is larger than \(limit) bytes.") }
}

struct RefusedBody: Error {
    let answer: GraphQLAnswer
}
