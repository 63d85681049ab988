import COpenSSL

/// AES-128 in Galois/Counter Mode (NIST SP 800-38D) with keys of 16 bytes, nonces of 12, tags of 16, and no associated
/// data.
public enum AES128GCM {
    public static let tagByteCount = 16

    /// The ciphertext, followed by its tag. A nonce must never be used twice with one key.
    public static func seal(_ plaintext: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8] {
        let context = context(key, nonce)
        defer { EVP_CIPHER_CTX_free(context) }
        return [UInt8](unsafeUninitializedCapacity: plaintext.count + tagByteCount) { output, count in
            var written: Int32 = 0
            var rest: Int32 = 0
            let tag = output.baseAddress.map { $0 + plaintext.count }
            let isSealed =
                EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce) == 1
                && EVP_EncryptUpdate(context, output.baseAddress, &written, plaintext, Int32(plaintext.count)) == 1
                && EVP_EncryptFinal_ex(context, tag, &rest) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagByteCount), tag) == 1
            precondition(isSealed && Int(written) == plaintext.count && rest == 0, "OpenSSL's AES failed.")
            count = output.count
        }
    }

    /// nil unless `sealed` was sealed with this key and nonce.
    public static func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        guard sealed.count >= tagByteCount else { return nil }
        let context = context(key, nonce)
        defer { EVP_CIPHER_CTX_free(context) }
        let size = sealed.count - tagByteCount
        var tag = Array(sealed[size...])
        var isAuthentic = false
        let plaintext = [UInt8](unsafeUninitializedCapacity: size + 1) { output, count in
            var written: Int32 = 0
            var rest: Int32 = 0
            isAuthentic =
                EVP_DecryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce) == 1
                && EVP_DecryptUpdate(context, output.baseAddress, &written, sealed, Int32(size)) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagByteCount), &tag) == 1
                && EVP_DecryptFinal_ex(context, output.baseAddress.map { $0 + size }, &rest) == 1
            count = isAuthentic ? size : 0
        }
        return isAuthentic ? plaintext : nil
    }

    private static func context(_ key: [UInt8], _ nonce: [UInt8]) -> OpaquePointer {
        precondition(key.count == 16 && nonce.count == 12, "A key has 16 bytes, a nonce 12.")
        guard let context = EVP_CIPHER_CTX_new() else { preconditionFailure("OpenSSL could not allocate a context.") }
        return context
    }
}
