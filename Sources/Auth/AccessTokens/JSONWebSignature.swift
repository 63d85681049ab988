import Cryptography

/// The compact serialisation of JWS (RFC 7515, section 7.1).
struct JSONWebSignature {
    let header: [UInt8]
    let payload: [UInt8]
    let signature: [UInt8]
    private let signingInput: [UInt8]

    /// nil unless the text has exactly three parts, each in canonical base64url.
    init?(compact: String) {
        let bytes = Array(compact.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3,
            let header = Base64.url.decode(parts[0]),
            let payload = Base64.url.decode(parts[1]),
            let signature = Base64.url.decode(parts[2])
        else { return nil }
        self.header = header
        self.payload = payload
        self.signature = signature
        signingInput = Array(bytes[..<parts[1].endIndex])
    }

    func isValid(for key: Ed25519PublicKey) -> Bool {
        key.isValidSignature(signature, for: signingInput)
    }

    static func sign(header: [UInt8], payload: [UInt8], with key: Ed25519PrivateKey) -> String {
        var token = Base64.url.encodedBytes(header)
        token.append(UInt8(ascii: "."))
        token += Base64.url.encodedBytes(payload)
        let signature = key.signature(for: token)
        token.append(UInt8(ascii: "."))
        token += Base64.url.encodedBytes(signature)
        return String(decoding: token, as: UTF8.self)
    }
}
