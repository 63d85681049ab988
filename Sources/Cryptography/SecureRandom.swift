import COpenSSL

/// Random bytes for keys and tokens.
public enum SecureRandom {
    /// Bytes of OpenSSL's generator, which is seeded from the kernel's. Stops the process if no entropy is available: a
    /// weak secret is worse than none.
    public static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            precondition(RAND_bytes(buffer.baseAddress, Int32(count)) == 1, "No entropy is available.")
            initialized = count
        }
    }
}
