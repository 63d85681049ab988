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
    /// Stored for an account without a password, which has to be reset: no password is compared with it successfully.
    public static let noPassword = "$none$"

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
        let salt = SecureRandom.bytes(PasswordHash.saltByteCount)
        let empty = PasswordHash(
            parameters: parameters, salt: salt, key: [UInt8](repeating: 0, count: PasswordHash.keyByteCount))
        let key = try await derivedKey(password, empty, client)
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
        guard try await matches(password, hash, client) else {
            // Another scheme's hash may take a fraction of the time, which would tell its accounts from unknown ones. The
            // password is known to be wrong, and remains so if the hasher is busy.
            if hash.scheme != .scrypt { _ = try? await verifyDummy(password, for: client) }
            return .invalid
        }
        let isOfToday =
            hash.scheme == .scrypt && hash.parameters == parameters && hash.salt.count == PasswordHash.saltByteCount
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
        constantTimeEqual(try await derivedKey(password, hash, client), hash.key)
    }

    private func derivedKey(
        _ password: String, _ hash: PasswordHash, _ client: HashingClient
    ) async throws(HasherError) -> [UInt8] {
        let secret = Self.secret(password, hash.scheme)
        let key = try await pool.run(for: client) { secret.withUnsafeBytes { hash.derivedKey($0) } }
        guard let key else { throw .outOfMemory }
        return key
    }

    /// Firebase hashes the bytes that its clients send.
    private static func secret(_ password: String, _ scheme: PasswordHash.Scheme) -> SecretBytes {
        guard password.utf8.count <= maximumByteCount else { return SecretBytes([]) }
        return switch scheme {
        case .scrypt: SecretBytes(NormalizationFormC.normalize(password).utf8)
        case .firebase: SecretBytes(password.utf8)
        }
    }
}
