import COpenSSL

/// scrypt (RFC 7914).
public enum Scrypt {
    /// The cost parameters (RFC 7914, section 2).
    public struct Parameters: Hashable, Sendable {
        /// The binary logarithm of the CPU and memory cost N.
        public let logN: Int
        /// The block size r.
        public let blockSize: Int
        /// The parallelization p.
        public let parallelism: Int

        /// nil unless `logN` is 1 to 24, the other two are 1 to 64, N is less than 2^(16 · r), and scrypt needs no more
        /// than `maximumMemory`.
        public init?(logN: Int, blockSize: Int = 8, parallelism: Int = 1) {
            guard (1...24).contains(logN), (1...64).contains(blockSize), (1...64).contains(parallelism),
                logN < 16 * blockSize,
                128 * blockSize * ((1 << logN) + parallelism + 2) <= Scrypt.maximumMemory
            else { return nil }
            self.init(unchecked: logN, blockSize, parallelism)
        }

        /// The work of a derivation, in blocks of 128 bytes that are mixed: N · r · p.
        public var work: Int { blockSize * parallelism << logN }

        private init(unchecked logN: Int, _ blockSize: Int, _ parallelism: Int) {
            self.logN = logN
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        /// N=2^17, r=8, p=1: 128 MiB and about 0.3 s (OWASP Password Storage Cheat Sheet).
        public static let standard = Parameters(unchecked: 17, 8, 1)
    }

    /// The largest memory that a derivation may take, in bytes. OpenSSL's default of 32 MiB refuses the standard
    /// parameters.
    public static let maximumMemory = 160 << 20

    /// nil if the memory cannot be allocated.
    public static func deriveKey(
        password: UnsafeRawBufferPointer, salt: [UInt8], _ parameters: Parameters, byteCount: Int
    ) -> [UInt8]? {
        let key = [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            let derived = EVP_PBE_scrypt(
                password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count, salt, salt.count,
                1 << UInt64(parameters.logN), UInt64(parameters.blockSize), UInt64(parameters.parallelism),
                UInt64(maximumMemory), output.baseAddress, byteCount)
            count = derived == 1 ? byteCount : 0
        }
        return key.isEmpty ? nil : key
    }
}
