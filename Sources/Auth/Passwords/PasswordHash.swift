import Cryptography

/// The stored form of a password, `$scrypt$ln=17,r=8,p=1$salt$hash`, with salt and hash in base 64 without padding.
/// Format: the PHC string format specification.
struct PasswordHash: Equatable {
    static let saltByteCount = 16
    static let keyByteCount = 32

    let parameters: Scrypt.Parameters
    let salt: [UInt8]
    let key: [UInt8]

    init(parameters: Scrypt.Parameters, salt: [UInt8], key: [UInt8]) {
        self.parameters = parameters
        self.salt = salt
        self.key = key
    }

    /// nil for another algorithm, and for parameters beyond those of scrypt or the memory limit.
    init?(_ text: String) {
        let fields = text.split(separator: "$", omittingEmptySubsequences: false)
        guard fields.count == 5, fields[0].isEmpty, fields[1] == "scrypt",
            let parameters = Self.parameters(fields[2]),
            let salt = Base64.standard.decode(fields[3].utf8), (8...64).contains(salt.count),
            let key = Base64.standard.decode(fields[4].utf8), (16...64).contains(key.count)
        else { return nil }
        self.init(parameters: parameters, salt: salt, key: key)
    }

    var text: String {
        let numbers = "ln=\(parameters.logN),r=\(parameters.blockSize),p=\(parameters.parallelism)"
        return "$scrypt$\(numbers)$\(Base64.standard.encode(salt))$\(Base64.standard.encode(key))"
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
