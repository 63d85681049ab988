import Cryptography

/// The reason for which a password was not hashed.
public enum HasherError: Error, Equatable, Sendable {
    /// Too many hashes are waiting. `retryAfter` is an estimate, in seconds.
    case busy(retryAfter: Int)
    /// The task was cancelled while it waited.
    case cancelled
    /// The memory for the hash could not be allocated.
    case outOfMemory
}

/// The result of comparing a password with a stored hash.
public enum PasswordVerification: Equatable, Sendable {
    case valid
    /// Valid, but hashed by another scheme or with other parameters than the present ones: hash the password again and
    /// store the result.
    case validNeedsRehash
    case invalid
}

/// Hashes passwords with scrypt, by default two at a time on threads of their own: each hash takes about 0.3 s and 128
/// MiB. By default sixteen jobs may wait, in the order of `FairQueue`. A job that has waited for more than two seconds
/// is refused when a thread is next free or another job comes.
public final class PasswordHasher: Sendable {
    /// Stored for an account without a password, such as an imported one. No password matches it, so the owner has to
    /// reset the password.
    public static let noPassword = "$none$"

    /// The longest password in bytes. A longer one is hashed as if it were empty, and `verify` finds it invalid.
    static let maximumByteCount = 4_096

    private let parameters: Scrypt.Parameters
    private let pool: HashingPool
    let dummy: PasswordHash

    /// - Parameters:
    ///   - parameters: the scrypt parameters of new hashes.
    ///   - threads: the hashes that run at a time.
    ///   - queueLimit: the hashes that may wait.
    ///   - maximumWait: the wait after which a hash is refused when a thread is next free or another hash is asked for.
    public init(
        parameters: Scrypt.Parameters = .standard, threads: Int = 2, queueLimit: Int = 16,
        maximumWait: Duration = .seconds(2)
    ) {
        self.parameters = parameters
        pool = HashingPool(threads: threads, queueLimit: queueLimit, maximumWait: maximumWait)
        dummy = PasswordHash(
            parameters: parameters, salt: SecureRandom.bytes(PasswordHash.saltByteCount),
            key: SecureRandom.bytes(PasswordHash.keyByteCount))
    }

    public var statistics: HashingStatistics { pool.statistics }

    /// The string to store. Check the password with `PasswordRules` first.
    public func hash(_ password: String, for client: HashingClient = .local) async throws(HasherError) -> String {
        let salt = SecureRandom.bytes(PasswordHash.saltByteCount)
        let empty = PasswordHash(
            parameters: parameters, salt: salt, key: [UInt8](repeating: 0, count: PasswordHash.keyByteCount))
        let key = try await derivedKey(password, empty, client)
        return PasswordHash(parameters: parameters, salt: salt, key: key).text
    }

    /// If `stored` is no hash, or the password is too long, a dummy is verified instead, so that the time reveals
    /// nothing.
    public func verify(
        _ password: String, against stored: String, for client: HashingClient = .local
    ) async throws(HasherError) -> PasswordVerification {
        guard password.utf8.count <= Self.maximumByteCount, let hash = PasswordHash(stored) else {
            try await verifyDummy(password, for: client)
            return .invalid
        }
        guard try await matches(password, hash, client) else { return .invalid }
        let isOfToday =
            hash.scheme == .scrypt && hash.parameters == parameters && hash.salt.count == PasswordHash.saltByteCount
            && hash.key.count == PasswordHash.keyByteCount
        return isOfToday ? .valid : .validNeedsRehash
    }

    /// For an account that does not exist: takes as long as `verify` with a wrong password, so that the time does not
    /// reveal whether the account exists.
    public func verifyDummy(_ password: String, for client: HashingClient = .local) async throws(HasherError) {
        _ = try await matches(password, dummy, client)
    }

    /// A hash for the work that is missing when a hash with the parameters `used` takes less work than the dummy.
    /// Without it, a wrong password would take less time for an account with such a hash than for an unknown login.
    /// - Returns: nil where less than one unit of the block size is missing.
    func rest(after used: Scrypt.Parameters) -> PasswordHash? {
        let missing = dummy.parameters.work - used.work
        // The rest is set by the block size: with the standard parameters, each unit is an eighth of the dummy's work.
        // N is a power of 2, so it could only halve or double the work.
        let blockSize = missing / (dummy.parameters.work / dummy.parameters.blockSize)
        let logN = parameters.logN
        // A small block size allows no large N: half of N with twice the block size is the same work.
        let rest =
            Scrypt.Parameters(logN: logN, blockSize: blockSize, parallelism: parameters.parallelism)
            ?? Scrypt.Parameters(logN: logN - 1, blockSize: 2 * blockSize, parallelism: parameters.parallelism)
        return rest.map { PasswordHash(parameters: $0, salt: dummy.salt, key: dummy.key) }
    }

    /// After a wrong password `rest` is derived too, so that both take as long as the dummy. They are one job, since a
    /// second job would wait again.
    private func matches(
        _ password: String, _ hash: PasswordHash, _ client: HashingClient
    ) async throws(HasherError) -> Bool {
        let secret = Self.secret(password, hash.scheme)
        let rest = rest(after: hash.parameters)
        let matches = try await pool.run(for: client) {
            secret.withUnsafeBytes { secret -> Bool? in
                guard let key = hash.derivedKey(secret) else { return nil }
                if constantTimeEqual(key, hash.key) { return true }
                // A failed allocation is ignored: the password is already known to be wrong.
                _ = rest?.derivedKey(secret)
                return false
            }
        }
        guard let matches else { throw .outOfMemory }
        return matches
    }

    private func derivedKey(
        _ password: String, _ hash: PasswordHash, _ client: HashingClient
    ) async throws(HasherError) -> [UInt8] {
        let secret = Self.secret(password, hash.scheme)
        let key = try await pool.run(for: client) { secret.withUnsafeBytes { hash.derivedKey($0) } }
        guard let key else { throw .outOfMemory }
        return key
    }

    /// The bytes to hash: in normalization form C, except that Firebase hashes them as they are; none if too many.
    private static func secret(_ password: String, _ scheme: PasswordHash.Scheme) -> SecretBytes {
        guard password.utf8.count <= maximumByteCount else { return SecretBytes([]) }
        return switch scheme {
        case .scrypt: SecretBytes(NormalizationFormC.normalize(password).utf8)
        case .firebase: SecretBytes(password.utf8)
        }
    }
}
