import Cryptography
import Testing

/// RFC 7914, section 12.
@Suite struct ScryptTests {
    struct Vector: Sendable {
        let password, salt: String
        let logN, blockSize, parallelism: Int
        let key: String
    }

    static let vectors = [
        Vector(
            password: "", salt: "", logN: 4, blockSize: 1, parallelism: 1,
            key: "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"),
        Vector(
            password: "password", salt: "NaCl", logN: 10, blockSize: 8, parallelism: 16,
            key: "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"),
        Vector(
            password: "pleaseletmein", salt: "SodiumChloride", logN: 14, blockSize: 8, parallelism: 1,
            key: "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"),
    ]

    @Test(arguments: vectors) func vector(_ vector: Vector) throws {
        let parameters = try #require(
            Scrypt.Parameters(logN: vector.logN, blockSize: vector.blockSize, parallelism: vector.parallelism))
        let key = Array(vector.password.utf8).withUnsafeBytes {
            Scrypt.deriveKey(password: $0, salt: Array(vector.salt.utf8), parameters, byteCount: 64)
        }
        #expect(Hex.encode(try #require(key)) == vector.key)
    }

    /// Section 2: N is less than 2^(128 · r / 8).
    @Test func largeCostsNeedLargeBlocks() throws {
        #expect(Scrypt.Parameters(logN: 16, blockSize: 1) == nil)
        for parameters in [Scrypt.Parameters(logN: 15, blockSize: 1), Scrypt.Parameters(logN: 17, blockSize: 2)] {
            let parameters = try #require(parameters)
            let key = Array("a".utf8).withUnsafeBytes {
                Scrypt.deriveKey(password: $0, salt: [1], parameters, byteCount: 32)
            }
            #expect(key?.count == 32)
        }
    }

    @Test func standardParametersFitTheMemoryLimit() {
        let key = Array("a".utf8).withUnsafeBytes {
            Scrypt.deriveKey(password: $0, salt: [1], .standard, byteCount: 32)
        }
        #expect(key?.count == 32)
        #expect(Scrypt.Parameters(logN: 17) == .standard)
    }

    @Test func parametersOutOfBounds() {
        #expect(Scrypt.Parameters(logN: 18) == nil)
        #expect(Scrypt.Parameters(logN: 0) == nil)
        #expect(Scrypt.Parameters(logN: 10, blockSize: 0) == nil)
        #expect(Scrypt.Parameters(logN: 17, blockSize: 64) == nil)
    }
}
