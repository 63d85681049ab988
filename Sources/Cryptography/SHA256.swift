import COpenSSL

/// SHA-256 (FIPS 180-4), incremental. `SHA256.digest(of:)` computes a digest in one call.
public struct SHA256: ~Copyable {
    private let context: OpaquePointer

    public init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, Algorithm.sha256.pointer, nil) == 1 else {
            preconditionFailure("OpenSSL could not allocate a digest context.")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    public mutating func update(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { update($0) }
    }

    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let updated = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(updated == 1, "OpenSSL's SHA-256 failed.")
    }

    /// The digest of all bytes that were added.
    public consuming func finalize() -> SHA256Digest {
        let context = context
        return SHA256Digest { output in
            let finished = EVP_DigestFinal_ex(context, output.bindMemory(to: UInt8.self).baseAddress, nil)
            precondition(finished == 1, "OpenSSL's SHA-256 failed.")
        }
    }

    public static func digest(of bytes: RawSpan) -> SHA256Digest {
        bytes.withUnsafeBytes { digest(of: $0) }
    }

    public static func digest(of bytes: [UInt8]) -> SHA256Digest {
        bytes.withUnsafeBytes { digest(of: $0) }
    }

    /// The digest of the text's UTF-8 bytes.
    public static func digest(of text: String) -> SHA256Digest {
        var text = text
        return text.withUTF8 { digest(of: UnsafeRawBufferPointer($0)) }
    }

    public static func digest(of bytes: UnsafeRawBufferPointer) -> SHA256Digest {
        SHA256Digest { output in
            let done = EVP_Digest(
                bytes.baseAddress, bytes.count, output.bindMemory(to: UInt8.self).baseAddress, nil,
                Algorithm.sha256.pointer, nil)
            precondition(done == 1, "OpenSSL's SHA-256 failed.")
        }
    }
}

/// An algorithm of OpenSSL, fetched once: OpenSSL 3 searches its providers for `EVP_sha256()` on every use.
final class Algorithm: @unchecked Sendable {
    // Unchecked: a fetched method is immutable and its references are counted atomically.
    static let sha256 = Algorithm(EVP_MD_fetch(nil, "SHA256", nil))
    static let hmac = Algorithm(EVP_MAC_fetch(nil, "HMAC", nil))

    let pointer: OpaquePointer

    private init(_ pointer: OpaquePointer?) {
        guard let pointer else { preconditionFailure("OpenSSL's default provider is missing.") }
        self.pointer = pointer
    }
}
