import Cryptography
import Postgres

/// The metadata that `/images/ID` reads before the image's bytes, because not every response needs the bytes.
public struct ImageFile: Sendable, Equatable {
    /// SHA-256 of the bytes.
    public let digest: SHA256Digest
    public let mimeType: String
    /// The number of bytes.
    public let byteSize: Int
    /// The seconds for which the signed address stays valid; nil for a public image.
    public let validity: Int64?

    public init(digest: SHA256Digest, mimeType: String, byteSize: Int, validity: Int64?) {
        self.digest = digest
        self.mimeType = mimeType
        self.byteSize = byteSize
        self.validity = validity
    }

    /// A strong entity tag, derived from the bytes.
    /// Source: RFC 9110, 8.8.3
    public var entityTag: String { "\"\(Base64.url.encode(digest.bytes.prefix(16)))\"" }
}

/// The statement runs without a viewer, so that the row-level security policy returns public images only.
private struct PublicImageFile: Statement {
    static let columns: StaticString = "i.sha256, i.mime_type, i.byte_size"

    let id: UUID

    var sql: SQL { "select \(unsafe: Self.columns) from images i where i.id = \(id)" }

    func decode(_ row: Row) throws -> ImageFile { try ImageFile(row, validity: nil) }
}

/// The statement runs in the worker's role: the valid signature is the permission.
private struct SignedImageFile: Statement {
    let id: UUID
    let validity: Int64

    /// The worker's policies include images of deleted accounts, so the first branch leaves these out. The second
    /// branch reads the copies of images that reports keep. These copies have ids of their own.
    var sql: SQL {
        """
        select \(unsafe: PublicImageFile.columns) from images i where i.id = \(id) \
        and not exists (select from deleted_accounts d where d.user_id = i.owner_id) \
        union all select \(unsafe: PublicImageFile.columns) from report_images i where i.id = \(id)
        """
    }

    func decode(_ row: Row) throws -> ImageFile { try ImageFile(row, validity: validity) }
}

private struct ImageContents: Statement {
    let digest: SHA256Digest

    var sql: SQL { "select bytes from image_contents where sha256 = \(digest.bytes)" }

    func decode(_ row: Row) -> [UInt8] { row.bytes(0) }
}

extension ImageFile {
    fileprivate init(_ row: Row, validity: Int64?) throws {
        guard let digest = SHA256Digest(bytes: row.bytes(0)) else { throw MalformedDigest() }
        self.init(digest: digest, mimeType: row.string(1), byteSize: Int(row.int32(2)), validity: validity)
    }

    private struct MalformedDigest: Error {}
}

extension Environment {
    /// The metadata of the image at an address. nil if the image does not exist, or if it is not public and the
    /// address has no valid signature.
    /// - Parameters:
    ///   - id: a TypeID.
    ///   - expires: the query parameter `expires` of the address.
    ///   - signature: the query parameter `signature` of the address.
    /// - Throws: errors of the database.
    public func imageFile(id: String, expires: String?, signature: String?) async throws -> ImageFile? {
        guard let id = TypeID(id), id.kind == .image else { return nil }
        if let expires, let signature,
            let validity = imageSignature.validity(
                of: id.uuid, expires: expires, signature: signature, now: unixSeconds)
        {
            return try await pools.worker.run(SignedImageFile(id: id.uuid, validity: validity)).first
        }
        return try await pools.read.start(PublicImageFile(id: id.uuid), settings: nil).value.first
    }

    /// The bytes of an image; nil if it has been deleted since its metadata were read.
    public func imageBytes(_ file: ImageFile) async throws -> [UInt8]? {
        try await pools.worker.run(ImageContents(digest: file.digest)).first
    }
}
