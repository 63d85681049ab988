import Testing

@testable import Cryptography

@Suite struct HKDFSHA256Tests {
    /// RFC 5869, appendix A.1, the first block.
    @Test func derivesAsPublished() throws {
        let derived = HKDFSHA256.derive(
            secret: [UInt8](repeating: 0x0B, count: 22), salt: [UInt8](0...0x0C), info: [UInt8](0xF0...0xF9), count: 32)
        #expect(Hex.encode(derived) == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf")
    }
}
