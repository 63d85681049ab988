import COpenSSL

public enum SecureRandom {
    /// Bytes of OpenSSL's generator, which each thread has seeded from the kernel's.
    /// Stops the process if there is no entropy: no secret is better than a weak one.
    public static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            precondition(RAND_bytes(buffer.baseAddress, Int32(count)) == 1, "No entropy is available.")
            initialized = count
        }
    }
}
