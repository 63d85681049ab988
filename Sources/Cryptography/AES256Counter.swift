import COpenSSL

/// AES with a key of 256 bits in counter mode, from a counter block of zeros.
/// Source: NIST SP 800-38A, section 6.5
public enum AES256Counter {
    /// The key's size in bytes.
    public static let keyByteCount = 32

    /// The first `byteCount` bytes of the key stream, with which a message is combined by XOR. nil for a key of another
    /// size.
    public static func keyStream(key: [UInt8], byteCount: Int) -> [UInt8]? {
        guard key.count == keyByteCount, let context = EVP_CIPHER_CTX_new() else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        let counter = [UInt8](repeating: 0, count: 16)
        guard EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), nil, key, counter) == 1 else { return nil }
        let zeros = [UInt8](repeating: 0, count: byteCount)
        let stream = [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            var written: Int32 = 0
            let isWritten =
                EVP_EncryptUpdate(context, output.baseAddress, &written, zeros, Int32(truncatingIfNeeded: byteCount))
                == 1
            count = isWritten ? Int(written) : 0
        }
        return stream.count == byteCount ? stream : nil
    }
}
