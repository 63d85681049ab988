import Cryptography
import Testing

@Suite struct BytesTests {
    @Test func constantTimeComparison() {
        #expect(constantTimeEqual([], []))
        #expect(constantTimeEqual([1, 2], [1, 2]))
        #expect(!constantTimeEqual([1, 2], [1, 3]))
        #expect(!constantTimeEqual([1, 2], [1]))
    }

    @Test func wiped() {
        var bytes: [UInt8] = [1, 2, 3]
        wipe(&bytes)
        #expect(bytes == [0, 0, 0])
    }

    @Test func secretBytesHoldWhatTheyWereGiven() {
        let secret = SecretBytes("a secret".utf8)
        #expect(secret.count == 8)
        #expect(secret.withUnsafeBytes { Array($0) } == Array("a secret".utf8))
        #expect(SecretBytes([]).count == 0)
    }

    @Test func randomBytesDiffer() {
        #expect(SecureRandom.bytes(0).isEmpty)
        #expect(Set((0..<1_000).map { _ in SecureRandom.bytes(16) }).count == 1_000)
    }
}
