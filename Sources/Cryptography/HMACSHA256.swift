import COpenSSL

/// HMAC-SHA256 (RFC 2104) with a key that is scheduled once. Safe to use from several threads.
public final class HMACSHA256: @unchecked Sendable {
    // Unchecked: after init the context is only duplicated.
    private let keyed: OpaquePointer

    /// - Parameter key: of any length, the empty key included.
    public init(key: [UInt8]) {
        guard let context = EVP_MAC_CTX_new(Algorithm.hmac.pointer) else {
            preconditionFailure("OpenSSL could not allocate a MAC context.")
        }
        var name = Array("SHA256".utf8CString)
        let initialised = name.withUnsafeMutableBufferPointer { name in
            let parameters = [tertulia_digest_parameter(name.baseAddress), OSSL_PARAM_construct_end()]
            // An empty array has no address, and OpenSSL reads a null address as "keep the present key".
            return EVP_MAC_init(context, key.isEmpty ? [0] : key, key.count, parameters)
        }
        precondition(initialised == 1, "OpenSSL's HMAC could not be keyed.")
        keyed = context
    }

    deinit { EVP_MAC_CTX_free(keyed) }

    /// The message's authentication code.
    public func code(for message: [UInt8]) -> SHA256Digest {
        message.withUnsafeBytes { code(for: $0) }
    }

    public func code(for message: RawSpan) -> SHA256Digest {
        message.withUnsafeBytes { code(for: $0) }
    }

    public func code(for message: UnsafeRawBufferPointer) -> SHA256Digest {
        guard let context = EVP_MAC_CTX_dup(keyed) else {
            preconditionFailure("OpenSSL could not allocate a MAC context.")
        }
        defer { EVP_MAC_CTX_free(context) }
        return SHA256Digest { output in
            let start = message.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var written = 0
            let done =
                EVP_MAC_update(context, start, message.count) == 1
                && EVP_MAC_final(
                    context, output.bindMemory(to: UInt8.self).baseAddress, &written, output.count) == 1
            precondition(done && written == SHA256Digest.byteCount, "OpenSSL's HMAC failed.")
        }
    }

    /// True where `code` is the message's authentication code, compared in constant time.
    public func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool {
        constantTimeEqual(code, self.code(for: message).bytes)
    }
}
