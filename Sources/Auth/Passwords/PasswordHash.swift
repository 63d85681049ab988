import Cryptography

/// The stored form of a password, `$scrypt$ln=17,r=8,p=1$salt$hash`, with salt and hash in base 64 without padding.
/// Format: the PHC string format specification.
struct PasswordHash: Equatable {
    /// How a key is derived from a password; the raw value begins the stored form.
    enum Scheme: String {
        case scrypt
        /// Firebase's scheme. scrypt derives a key from the password, and this key encrypts the project's signer key by
        /// AES-256 in counter mode. The key stream of this encryption is stored: the XOR of the signer key and its
        /// encrypted form. A password is right if it gives the stored key stream. The signer key is not stored.
        /// Source: https://github.com/firebase/scrypt
        case firebase = "firebase-scrypt"
    }

    static let saltByteCount = 16
    static let keyByteCount = 32

    let scheme: Scheme
    let parameters: Scrypt.Parameters
    let salt: [UInt8]
    let key: [UInt8]

    init(_ scheme: Scheme = .scrypt, parameters: Scrypt.Parameters, salt: [UInt8], key: [UInt8]) {
        self.scheme = scheme
        self.parameters = parameters
        self.salt = salt
        self.key = key
    }

    /// nil for a malformed text, for another scheme, and for parameters that `Scrypt.Parameters` refuses.
    init?(_ text: String) {
        let fields = text.split(separator: "$", omittingEmptySubsequences: false)
        guard fields.count == 5, fields[0].isEmpty, let scheme = Scheme(rawValue: String(fields[1])),
            let parameters = Self.parameters(fields[2]),
            let salt = Base64.standard.decode(fields[3].utf8), (8...64).contains(salt.count),
            let key = Base64.standard.decode(fields[4].utf8), (16...64).contains(key.count)
        else { return nil }
        self.init(scheme, parameters: parameters, salt: salt, key: key)
    }

    var text: String {
        let numbers = "ln=\(parameters.logN),r=\(parameters.blockSize),p=\(parameters.parallelism)"
        return "$\(scheme.rawValue)$\(numbers)$\(Base64.standard.encode(salt))$\(Base64.standard.encode(key))"
    }

    /// The key that a password gives with this hash's salt and parameters. nil if the memory cannot be allocated.
    func derivedKey(_ password: UnsafeRawBufferPointer) -> [UInt8]? {
        switch scheme {
        case .scrypt:
            Scrypt.deriveKey(password: password, salt: salt, parameters, byteCount: key.count)
        case .firebase:
            Scrypt.deriveKey(password: password, salt: salt, parameters, byteCount: AES256Counter.keyByteCount)
                .flatMap { AES256Counter.keyStream(key: $0, byteCount: key.count) }
        }
    }

    private static func parameters(_ text: Substring) -> Scrypt.Parameters? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
        guard numbers.count == 3,
            let logN = number(numbers[0], named: "ln"),
            let blockSize = number(numbers[1], named: "r"),
            let parallelism = number(numbers[2], named: "p")
        else { return nil }
        return Scrypt.Parameters(logN: logN, blockSize: blockSize, parallelism: parallelism)
    }

    private static func number(_ text: Substring, named name: String) -> Int? {
        let sides = text.split(separator: "=", omittingEmptySubsequences: false)
        guard sides.count == 2, sides[0] == name else { return nil }
        return Int(sides[1])
    }
}
