import Cryptography
import Testing

@Suite struct AES256CounterTests {
    /// The first block is the hash key of test case 13 in McGrew and Viega, "The Galois/Counter Mode of Operation"; the
    /// second is that of the counter 1, which is the test case's tag.
    @Test func theKeyStreamOfZeros() {
        let stream = AES256Counter.keyStream(key: [UInt8](repeating: 0, count: 32), byteCount: 32)
        #expect(stream.map { Hex.encode($0) } == "dc95c078a2408989ad48a21492842087530f8afbc74536b9a963b4f1c4cb738b")
    }

    @Test func aShorterStreamIsItsBeginning() {
        let key = [UInt8](0..<32)
        let long = AES256Counter.keyStream(key: key, byteCount: 64)
        #expect(AES256Counter.keyStream(key: key, byteCount: 17) == long.map { Array($0.prefix(17)) })
    }

    @Test(arguments: [0, 16, 24, 31, 33]) func otherKeysAreRefused(byteCount: Int) {
        #expect(AES256Counter.keyStream(key: [UInt8](repeating: 0, count: byteCount), byteCount: 16) == nil)
    }
}
