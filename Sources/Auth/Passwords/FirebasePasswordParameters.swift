import Cryptography

/// A Firebase project's password hash parameters, as its console shows them.
/// Source: https://github.com/firebase/scrypt
public struct FirebasePasswordParameters: Equatable, Sendable {
    private let signerKey: [UInt8]
    private let saltSeparator: [UInt8]
    private let parameters: Scrypt.Parameters

    /// - Parameters:
    ///   - signerKey: in base 64, at least 16 bytes.
    ///   - saltSeparator: in base 64.
    ///   - rounds: the block size of scrypt, 1 to 64.
    ///   - memoryCost: the binary logarithm of scrypt's N.
    /// - Returns: nil for parameters that are malformed or need more memory than ``Scrypt/maximumMemory``.
    public init?(signerKey: String, saltSeparator: String, rounds: Int, memoryCost: Int) {
        guard let key = Self.bytes(signerKey), key.count >= 16, let separator = Self.bytes(saltSeparator),
            let parameters = Scrypt.Parameters(logN: memoryCost, blockSize: rounds)
        else { return nil }
        self.signerKey = Array(key.prefix(64))
        self.saltSeparator = separator
        self.parameters = parameters
    }

    /// Reads the text of the console's dialogue: lines `base64_signer_key: …,` and so on, in any order.
    public init?(text: String) {
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            values[parts[0].filter(Self.isDigit)] = parts[1].filter(Self.isDigit)
        }
        guard let signerKey = values["base64_signer_key"], let saltSeparator = values["base64_salt_separator"],
            let rounds = values["rounds"].flatMap({ Int($0) }),
            let memoryCost = values["mem_cost"].flatMap({ Int($0) })
        else { return nil }
        self.init(signerKey: signerKey, saltSeparator: saltSeparator, rounds: rounds, memoryCost: memoryCost)
    }

    /// The stored form of an exported password. `PasswordHasher` verifies it and finds it in need of a rehash.
    /// - Parameters:
    ///   - hash: `passwordHash` of the export, in either alphabet of base 64.
    ///   - salt: `salt` of the export, likewise.
    /// - Returns: nil for a hash or salt that is malformed or is not of these parameters.
    public func stored(hash: String, salt: String) -> String? {
        guard let encrypted = Self.bytes(hash), encrypted.count >= signerKey.count, let salt = Self.bytes(salt),
            (8...64).contains(salt.count + saltSeparator.count)
        else { return nil }
        let keyStream = zip(encrypted, signerKey).map { $0 ^ $1 }
        return PasswordHash(.firebase, parameters: parameters, salt: salt + saltSeparator, key: keyStream).text
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.filter { $0 != "=" }.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return Base64.standard.decode(String(digits))
    }

    /// True for the characters of names and values, false for the punctuation around them.
    private static func isDigit(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "+/=_-".contains(character))
    }
}
