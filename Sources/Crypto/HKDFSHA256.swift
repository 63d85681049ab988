/// HMAC-based key derivation (RFC 5869) with SHA-256.
public enum HKDFSHA256 {
    /// - Parameter count: the number of derived bytes, 32 at most.
    public static func derive(secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        precondition(count <= SHA256Digest.byteCount, "One block is all that is derived.")
        let key = HMACSHA256(key: salt).code(for: secret).bytes
        return Array(HMACSHA256(key: key).code(for: info + [1]).bytes.prefix(count))
    }
}
