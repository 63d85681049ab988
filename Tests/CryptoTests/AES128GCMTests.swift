import Testing

@testable import Cryptography

@Suite struct AES128GCMTests {
    private let key = [UInt8](0..<16)
    private let nonce = [UInt8](0..<12)

    /// Test case 2 of "The Galois/Counter Mode of Operation" by McGrew and Viega.
    @Test func sealsAsPublished() {
        let zeros = [UInt8](repeating: 0, count: 16)
        let sealed = AES128GCM.seal(zeros, key: zeros, nonce: Array(zeros.prefix(12)))
        #expect(Hex.encode(sealed) == "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf")
    }

    @Test func opensWhatItSealed() {
        for count in [0, 1, 15, 16, 17, 4000] {
            let plaintext = SecureRandom.bytes(count)
            let sealed = AES128GCM.seal(plaintext, key: key, nonce: nonce)
            #expect(AES128GCM.open(sealed, key: key, nonce: nonce) == plaintext)
        }
    }

    @Test func refusesWhatWasChanged() {
        let sealed = AES128GCM.seal(Array("text".utf8), key: key, nonce: nonce)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(AES128GCM.open(changed, key: key, nonce: nonce) == nil)
        }
        #expect(AES128GCM.open([1, 2, 3], key: key, nonce: nonce) == nil)
    }
}
