import Auth
import Cryptography
import GraphQL
import Postgres

/// The counter of failed attempts to sign in with one login, whatever its case and hidden characters. Attempts are
/// counted by login, not by account, so that unknown logins lead to back-off too, and so that a username and an address
/// cannot be found to belong to one account.
struct SignInAttempt: Sendable {
    private let loginHash: [UInt8]

    init(_ login: Login) { loginHash = SHA256.digest(of: login.form).bytes }

    /// Attempts to give the account's password within a session. The hashed bytes are not UTF-8, so they equal no
    /// login's.
    init(account: UUID) { loginHash = SHA256.digest(of: [0xFF] + Array(account.description.utf8)).bytes }

    /// Attempts with one device token. Its holder cannot hold back another device.
    init(device: [UInt8]) { loginHash = SHA256.digest(of: [0xFE] + device).bytes }

    /// Counts one more failure; on success `forget` deletes the count.
    func begin(allowed: Int32) -> SQL { "select begin_sign_in(\(loginHash), \(allowed))" }

    var forget: SQL { "delete from sign_in_attempts where login_hash = \(loginHash)" }

    var giveBack: SQL {
        "update sign_in_attempts set failures = failures - 1 where login_hash = \(loginHash) and failures > 0"
    }
}

extension RequestContext {
    func begin(_ attempt: SignInAttempt) async throws {
        let seconds = try await wait(before: attempt)
        if seconds > 0 { throw ExecutionError.rateLimited(retryAfter: seconds) }
    }

    /// Counts the attempt, unless back-off holds it back.
    /// - Returns: the seconds to wait; 0 if the attempt may go on.
    func wait(before attempt: SignInAttempt) async throws -> Double {
        let allowed = environment.limits.failuresBeforeBackOff
        guard allowed > 0 else { return 0 }
        let begin = BeginSignIn(attempt: attempt, allowed: Int32(clamping: allowed))
        return try await environment.pools.worker.run(begin).first ?? 0
    }

    /// Takes the counted failure back if the hasher refused, because the password was then not compared.
    func hashed<Value>(_ attempt: SignInAttempt, _ hash: () async throws -> Value) async throws -> Value {
        do {
            return try await hash()
        } catch let error as HasherError {
            // In a task of its own: the current task may be cancelled because the client closed the connection.
            let (pool, giveBack) = (environment.pools.worker, attempt.giveBack)
            _ = try await Task { try await pool.run(Segment([giveBack])) }.value
            return try await hashed { throw error }
        }
    }
}

/// The seconds to wait before the next attempt; 0 if it may go on.
struct BeginSignIn: Statement {
    let attempt: SignInAttempt
    let allowed: Int32

    var sql: SQL { attempt.begin(allowed: allowed) }

    func decode(_ row: Row) -> Double { row.double(0) }
}

struct CredentialsByLogin: Statement {
    struct Output: Sendable {
        let userID: UUID
        let passwordHash: String
        /// Device tokens of an earlier generation are not accepted.
        let deviceGeneration: Int32
    }

    /// The alias `k` is the credentials.
    static let columns: StaticString = "k.user_id, k.password_hash, k.device_generation"

    let login: String

    var sql: SQL {
        """
        select \(unsafe: Self.columns) from credentials k where k.user_id in \
        (select user_id from credentials where email = \(login) union all select id from users where username = \(login))
        """
    }

    func decode(_ row: Row) -> Output { Output(row) }
}

extension CredentialsByLogin.Output {
    init(_ row: Row) {
        self.init(userID: row.uuid(0), passwordHash: row.string(1), deviceGeneration: row.int32(2))
    }

    /// Stores the same password's new hash, unless the password has been changed since the old one was read.
    func renew(_ renewed: String) -> SQL {
        "update credentials set password_hash = \(renewed) where user_id = \(userID) and password_hash = \(passwordHash)"
    }
}
