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
    /// Valid, but hashed with parameters other than the present ones: hash the password again and store the result.
    case validNeedsRehash
    case invalid
}

/// Hashes passwords with scrypt, by default two at a time on threads of their own: each hash takes about 0.3 s and 128
/// MiB. By default sixteen jobs may wait, for two seconds at most, in the order of `FairQueue`.
public final class PasswordHasher: Sendable {
    /// The longest password in bytes. A longer one is hashed as if it were empty and never valid.
    static let maximumByteCount = 4_096

    private let parameters: Scrypt.Parameters
    private let pool: HashingPool
    let dummy: PasswordHash

    /// - Parameters:
    ///   - parameters: the scrypt parameters of new hashes.
    ///   - threads: the hashes that run at a time.
    ///   - queueLimit: the hashes that may wait.
    ///   - maximumWait: the longest time that a hash waits.
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

    /// The number of hashes that wait for a thread, for metrics.
    public var waitingCount: Int { pool.waitingCount }

    /// The string to store. Check the password with `PasswordRules` first.
    public func hash(_ password: String, for client: HashingClient = .local) async throws(HasherError) -> String {
        let secret = Self.secret(password)
        let salt = SecureRandom.bytes(PasswordHash.saltByteCount)
        let key = try await derive(secret, salt, parameters, byteCount: PasswordHash.keyByteCount, client)
        return PasswordHash(parameters: parameters, salt: salt, key: key).text
    }

    /// If `stored` is no hash, a dummy is verified instead, so that the time reveals nothing.
    public func verify(
        _ password: String, against stored: String, for client: HashingClient = .local
    ) async throws(HasherError) -> PasswordVerification {
        guard password.utf8.count <= Self.maximumByteCount, let hash = PasswordHash(stored) else {
            try await verifyDummy(password, for: client)
            return .invalid
        }
        guard try await matches(password, hash, client) else { return .invalid }
        let isOfToday =
            hash.parameters == parameters && hash.salt.count == PasswordHash.saltByteCount
            && hash.key.count == PasswordHash.keyByteCount
        return isOfToday ? .valid : .validNeedsRehash
    }

    /// For an account that does not exist: takes as long as `verify`, so that the time does not reveal whether it
    /// exists.
    public func verifyDummy(_ password: String, for client: HashingClient = .local) async throws(HasherError) {
        _ = try await matches(password, dummy, client)
    }

    private func matches(
        _ password: String, _ hash: PasswordHash, _ client: HashingClient
    ) async throws(HasherError) -> Bool {
        let key = try await derive(
            Self.secret(password), hash.salt, hash.parameters, byteCount: hash.key.count, client)
        return constantTimeEqual(key, hash.key)
    }

    private func derive(
        _ secret: SecretBytes, _ salt: [UInt8], _ parameters: Scrypt.Parameters, byteCount: Int,
        _ client: HashingClient
    ) async throws(HasherError) -> [UInt8] {
        let key = try await pool.run(for: client) {
            secret.withUnsafeBytes {
                Scrypt.deriveKey(password: $0, salt: salt, parameters, byteCount: byteCount)
            }
        }
        guard let key else { throw .outOfMemory }
        return key
    }

    private static func secret(_ password: String) -> SecretBytes {
        guard password.utf8.count <= maximumByteCount else { return SecretBytes([]) }
        return SecretBytes(NormalizationFormC.normalize(password).utf8)
    }
}
