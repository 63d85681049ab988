import Cryptography
import Postgres

/// The tries to sign in with one login, in whatever case it is typed. Counted by the login, and not by the account: so
/// logins that nobody has wait like others, and it does not show that a name and an address are one account's.
struct SignInAttempt: Sendable {
    private let loginHash: [UInt8]

    init(_ login: String) { loginHash = SHA256.digest(of: login).bytes }

    /// Counts one more failure; a success takes it back by `forget`.
    func begin(allowed: Int32) -> SQL { "select begin_sign_in(\(loginHash), \(allowed))" }

    var forget: SQL { "delete from sign_in_attempts where login_hash = \(loginHash)" }

    var giveBack: SQL {
        "update sign_in_attempts set failures = failures - 1 where login_hash = \(loginHash) and failures > 0"
    }
}

/// The seconds to wait before the next try; 0 where it may go on.
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
    }

    let login: String

    var sql: SQL {
        """
        select k.user_id, k.password_hash from credentials k where k.user_id in \
        (select user_id from credentials where email = \(login) union all select id from users where username = \(login))
        """
    }

    func decode(_ row: Row) -> Output { Output(userID: row.uuid(0), passwordHash: row.string(1)) }
}

extension CredentialsByLogin.Output {
    func renew(_ passwordHash: String) -> SQL {
        "update credentials set password_hash = \(passwordHash) where user_id = \(userID)"
    }
}
