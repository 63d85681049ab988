/// The 32 bytes of a SHA-256 or HMAC-SHA256.
public struct SHA256Digest: Hashable, Sendable {
    public static let byteCount = 32

    // Four words rather than an array: no allocation, and a cheap dictionary key.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// nil unless `bytes` has exactly 32 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
    }

    init(writing body: (UnsafeMutableRawBufferPointer) -> Void) {
        withUnsafeMutableBytes(of: &words) { body($0) }
    }

    public var bytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }

    /// 64 hexadecimal digits in lower case.
    public var hex: String { withUnsafeBytes { Hex.encode($0) } }

    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        Swift.withUnsafeBytes(of: words, body)
    }

    /// The comparison has no branch on the content, so that its time does not reveal where two digests differ.
    public static func == (a: SHA256Digest, b: SHA256Digest) -> Bool {
        (a.words.0 ^ b.words.0) | (a.words.1 ^ b.words.1) | (a.words.2 ^ b.words.2) | (a.words.3 ^ b.words.3) == 0
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}
