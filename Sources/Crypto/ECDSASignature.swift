/// An ECDSA signature on P-256, in the encodings of JWS and of X.509.
struct ECDSASignature {
    /// r and s, 32 bytes each: RFC 7518, section 3.4.
    let rawRepresentation: [UInt8]

    init?(rawRepresentation: [UInt8]) {
        guard rawRepresentation.count == 64 else { return nil }
        self.rawRepresentation = rawRepresentation
    }

    /// Ecdsa-Sig-Value: RFC 3279, section 2.2.3. r and s have at most 33 bytes each, so every length is one byte.
    init?(der: [UInt8]) {
        var rest = der[...]
        func number() -> [UInt8]? {
            guard rest.popFirst() == 0x02, let count = rest.popFirst(), count <= 33, rest.count >= count else {
                return nil
            }
            let digits = rest.prefix(Int(count)).drop { $0 == 0 }
            rest = rest.dropFirst(Int(count))
            guard digits.count <= 32 else { return nil }
            return [UInt8](repeating: 0, count: 32 - digits.count) + digits
        }
        guard rest.popFirst() == 0x30, let count = rest.popFirst(), rest.count == count,
            let r = number(), let s = number(), rest.isEmpty
        else { return nil }
        rawRepresentation = r + s
    }

    var der: [UInt8] {
        func number(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            var digits = Array(bytes.drop { $0 == 0 })
            // DER integers are signed: a leading zero keeps the number positive. Zero has one digit.
            if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
            return [0x02, UInt8(digits.count)] + digits
        }
        let numbers = number(rawRepresentation[..<32]) + number(rawRepresentation[32...])
        return [0x30, UInt8(numbers.count)] + numbers
    }
}
