/// The digest by which a server knows a document. It is written here because the client and the generator also build on systems
/// without OpenSSL.
/// Source: FIPS 180-4, 6.2
package enum SHA256 {
    /// 64 hexadecimal digits.
    package static func hexadecimal(_ text: String) -> String {
        digest(Array(text.utf8)).map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private static func digest(_ message: [UInt8]) -> [UInt32] {
        var bytes = message + [0x80]
        while bytes.count % 64 != 56 { bytes.append(0) }
        let bits = UInt64(message.count) * 8
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: bits >> shift)) }
        var state = initialState
        for start in stride(from: 0, to: bytes.count, by: 64) { compress(bytes[start..<start + 64], into: &state) }
        return state
    }

    private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words = [UInt32](repeating: 0, count: 64)
        for (offset, byte) in block.enumerated() { words[offset / 4] = words[offset / 4] << 8 | UInt32(byte) }
        for index in 16..<64 {
            let old = words[index - 15]
            let recent = words[index - 2]
            let first = rotated(old, 7) ^ rotated(old, 18) ^ old >> 3
            let second = rotated(recent, 17) ^ rotated(recent, 19) ^ recent >> 10
            words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
        }
        var work = state
        for index in 0..<64 {
            let e = work[4]
            let a = work[0]
            let choice = e & work[5] ^ ~e & work[6]
            let majority = a & work[1] ^ a & work[2] ^ work[1] & work[2]
            let first =
                work[7] &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ constants[index]
                &+ words[index]
            let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
            work = [first &+ second, a, work[1], work[2], work[3] &+ first, e, work[5], work[6]]
        }
        for index in state.indices { state[index] = state[index] &+ work[index] }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    /// The first 32 bits of the fractional parts of the square roots of the first 8 primes.
    private static let initialState = primes.prefix(8).map { fraction($0.squareRoot()) }

    /// Those of the cube roots of the first 64 primes.
    private static let constants = primes.map { prime in
        // Newton's method from above ends at the nearest double, whose 52 bits have the 32 that are needed.
        var root = prime
        for _ in 0..<64 { root -= (root * root * root - prime) / (3 * root * root) }
        return fraction(root)
    }

    private static func fraction(_ root: Double) -> UInt32 { UInt32((root - root.rounded(.down)) * 4_294_967_296) }

    private static let primes: [Double] = {
        var primes: [Int] = []
        var candidate = 2
        while primes.count < 64 {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes.map(Double.init)
    }()
}
