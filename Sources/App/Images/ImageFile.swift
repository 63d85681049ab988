import Cryptography
import Postgres

/// What `/images/ID` says of an image before its bytes are read.
public struct ImageFile: Sendable, Equatable {
    /// SHA-256 of the bytes.
    public let digest: SHA256Digest
    public let mimeType: String
    public let byteSize: Int
    /// In seconds, for which the address that was asked for shows it to who has it alone; nil: everyone may see it.
    public let validity: Int64?

    public init(digest: SHA256Digest, mimeType: String, byteSize: Int, validity: Int64?) {
        self.digest = digest
        self.mimeType = mimeType
        self.byteSize = byteSize
        self.validity = validity
    }

    /// Strong: of these bytes alone.
    /// Source: RFC 9110, 8.8.3
    public var entityTag: String { "\"\(Base64.url.encode(digest.bytes.prefix(16)))\"" }
}

/// As somebody signed out sees it: the policy leaves what is public.
private struct PublicImageFile: Statement {
    static let columns: StaticString = "i.sha256, i.mime_type, i.byte_size"

    let id: UUID

    var sql: SQL { "select \(unsafe: Self.columns) from images i where i.id = \(id)" }

    func decode(_ row: Row) throws -> ImageFile { try ImageFile(row, validity: nil) }
}

/// As the worker, whom the signature has told that it may be seen.
private struct SignedImageFile: Statement {
    let id: UUID
    let validity: Int64

    /// The worker sees what a deleted account leaves, too. An image that a report keeps has an id of its own.
    var sql: SQL {
        """
        select \(unsafe: PublicImageFile.columns) from images i where i.id = \(id) \
        and i.owner_id <> all (array(select user_id from deleted_accounts)) \
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
    /// nil where there is none that everyone, or who has this address, may see. Throws what the database does.
    ///
    /// - Parameters:
    ///   - expires: as the address has it, like `signature`.
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

    /// The bytes of an image that was there a moment ago; nil where it is gone.
    public func imageBytes(_ file: ImageFile) async throws -> [UInt8]? {
        try await pools.worker.run(ImageContents(digest: file.digest)).first
    }
}
