import Cryptography
import Postgres

/// Signs the address of an image that is not public: whoever has the address may see the image until the signature
/// expires. The signature changes once an hour, so that caches and subscriptions see one address in between.
public struct ImageSignature: Sendable {
    /// In seconds. A signature is valid for one to two lifetimes.
    static let lifetime: Int64 = 3600

    private let key: HMACSHA256

    init(key: [UInt8]) { self.key = HMACSHA256(key: key) }

    /// - Parameter now: in seconds since 1970.
    func query(for image: UUID, now: Int64) -> String {
        let expires = (now / Self.lifetime + 2) * Self.lifetime
        return "?expires=\(expires)&signature=\(Base64.url.encode(code(image, expires)))"
    }

    /// The seconds for which a signature stays valid; nil if it is expired or forged.
    func validity(of image: UUID, expires: String, signature: String, now: Int64) -> Int64? {
        guard let expires = Int64(expires), expires > now, let signature = Base64.url.decode(signature),
            constantTimeEqual(signature, code(image, expires))
        else { return nil }
        return expires - now
    }

    /// Truncated to 128 bits, which suffice against guessing online and keep addresses short.
    private func code(_ image: UUID, _ expires: Int64) -> [UInt8] {
        Array(key.code(for: Array("\(TypeID(.image, image)) \(expires)".utf8)).bytes.prefix(16))
    }
}

extension Environment {
    func address(of image: UUID, isPublic: Bool) -> PublicURL {
        PublicURL(
            base: publicURL, path: "/images/", id: TypeID(.image, image),
            query: isPublic ? "" : imageSignature.query(for: image, now: unixSeconds))
    }
}

extension Everybody {
    /// The address of the image, or of the placeholder drawn for the object.
    func coverURL(of id: TypeID, image: UUID?, isPublic: Bool, placeholder: Text?) -> PublicURL {
        if let image { return environment.address(of: image, isPublic: isPublic) }
        let path: StaticString =
            switch placeholder.map({ String($0) }) {
            case "FUNNY": "/covers/funny/"
            case "SERIOUS": "/covers/serious/"
            case "CRAZY": "/covers/crazy/"
            default: "/covers/event/"
            }
        return PublicURL(base: environment.publicURL, path: path, id: id)
    }
}
