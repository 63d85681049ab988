import Cryptography
import Testing

/// RFC 4231, section 4.
@Suite struct HMACSHA256Tests {
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131),
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func vector(key: [UInt8], message: [UInt8], hex: String) {
        let hmac = HMACSHA256(key: key)
        #expect(hmac.code(for: message).hex == hex)
        #expect(hmac.code(for: message).hex == hex, "The keyed context is reusable.")
    }

    @Test func emptyKeyAndMessage() {
        let hex = "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        #expect(HMACSHA256(key: []).code(for: [UInt8]()).hex == hex)
    }

    @Test func validation() {
        let hmac = HMACSHA256(key: [1, 2, 3])
        var code = hmac.code(for: [4]).bytes
        #expect(hmac.isValid(code, for: [4]))
        #expect(!hmac.isValid(code, for: [5]))
        #expect(!hmac.isValid(Array(code.dropLast()), for: [4]))
        code[31] ^= 1
        #expect(!hmac.isValid(code, for: [4]))
    }

    @Test func manyTasksAtOnce() async {
        let hmac = HMACSHA256(key: [9])
        let expected = (0..<64).map { HMACSHA256(key: [9]).code(for: [UInt8($0)]) }
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<64 {
                group.addTask {
                    (0..<200).allSatisfy { _ in hmac.code(for: [UInt8(task)]) == expected[task] }
                }
            }
            for await right in group { #expect(right) }
        }
    }
}
