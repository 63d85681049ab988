import COpenSSL

/// True where two byte strings are equal, in a time that depends only on their lengths.
public func constantTimeEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0
}

/// Overwrites the bytes with zeros in a way that the optimiser keeps.
public func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
}

/// Bytes that are overwritten with zeros when the object is released.
public final class SecretBytes: @unchecked Sendable {
    // Unchecked: the buffer is written in init and deinit only.
    private let buffer: UnsafeMutableRawBufferPointer

    public init(_ bytes: some Collection<UInt8>) {
        buffer = .allocate(byteCount: bytes.count, alignment: 1)
        buffer.copyBytes(from: bytes)
    }

    deinit {
        OPENSSL_cleanse(buffer.baseAddress, buffer.count)
        buffer.deallocate()
    }

    public var count: Int { buffer.count }

    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(buffer))
    }
}
